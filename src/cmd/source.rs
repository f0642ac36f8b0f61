//! Where a verb's positions come from: a board, or files that a user brings.

use std::path::PathBuf;

use clap::Args;

use super::Common;
use crate::board::Board;
use crate::census;
use crate::error::Error;
use crate::game::{self, Game, Mover};
use crate::positions::{self, Positions, files};

/// A board of a game, or positions from files, or both: files checked against the board.
#[derive(Args)]
pub(super) struct Source {
    /// The board, ROWSxCOLUMNS
    #[arg(required_unless_present = "positions")]
    pub(super) board: Option<Board>,
    /// The game [default: domineering]
    #[arg(long)]
    pub(super) game: Option<String>,
    /// Positions from files (.npy, or text with one board a line) instead of
    /// all reachable ones: LEFT,RIGHT, or one file
    #[arg(long, value_name = "FILE[,FILE]", value_delimiter = ',')]
    pub(super) positions: Option<Vec<PathBuf>>,
}

impl Source {
    /// The game named, or Domineering.
    pub(super) fn game(&self) -> &str {
        self.game.as_deref().unwrap_or("domineering")
    }

    /// Refuses, before any work, a game that there is not and a board whose
    /// census cannot fit.
    pub(super) fn check(&self) -> Result<(), Error> {
        let game = game::find(self.game())?;
        if self.board.is_none() && self.game.is_some() {
            let problem = "positions without a board are of any game: want a board beside it";
            return Err(Error::argument("--game", problem));
        }
        if let (Some(board), None) = (self.board, &self.positions) {
            census::cell_count(&format!("a census of {board}"), game.features(board), true)?;
        }
        Ok(())
    }

    /// The game, where the positions are known to be its: all reachable ones,
    /// or files checked against a board.
    pub(super) fn game_checked(&self) -> Option<String> {
        self.board.map(|_| self.game().to_owned())
    }

    /// The positions meant, and the board they are drawn on if there is one.
    pub(super) fn positions(&self, common: &Common) -> Result<(Positions, Option<Board>), Error> {
        self.check()?;
        let Some(paths) = &self.positions else {
            let board = self.board.expect("clap requires a board or positions");
            let game = game::find(self.game())?;
            let progress = common.spinner("enumerating positions");
            let positions = positions::enumerate(game, board);
            progress.finish_and_clear();
            return Ok((positions?, Some(board)));
        };
        let (read, board) = files::read(paths, self.board)?;
        if let Some(board) = self.board {
            require_reachable(game::find(self.game())?, board, &read, paths)?;
        }
        Ok((read, board))
    }

    /// What the positions are of, for a document: a board's name, or the files'.
    pub(super) fn name(&self, board: Option<Board>) -> String {
        board.map_or_else(|| self.files(), |board| board.to_string())
    }

    /// What the positions are of, for a sentence: a board and its game, or the files.
    pub(super) fn subject(&self, board: Option<Board>) -> String {
        match board {
            Some(board) if self.positions.is_none() => format!("{board} {}", self.game()),
            _ => format!("the positions in {}", self.files()),
        }
    }

    fn files(&self) -> String {
        let paths = self.positions.iter().flatten();
        paths.map(|path| path.display().to_string()).collect::<Vec<_>>().join(",")
    }
}

/// Refuses a file that holds a position which play on `board` does not reach.
fn require_reachable(
    game: &dyn Game,
    board: Board,
    read: &Positions,
    paths: &[PathBuf],
) -> Result<(), Error> {
    let reachable = positions::enumerate(game, board)?;
    for mover in Mover::BOTH {
        let stranger = |set: &&u64| reachable.of(mover).binary_search(set).is_err();
        if let Some(&set) = read.of(mover).iter().find(stranger) {
            let odd = if set.count_ones() % 2 == 1 { "odd, so " } else { "" };
            let problem = format!(
                "{} is {odd}not reachable in {} with {mover:?} to move",
                board.draw(set),
                game.name()
            );
            return Err(Error::file(&paths[mover as usize % paths.len()], problem));
        }
    }
    Ok(())
}
