//! The page: HTML and style, in one file.

use std::fmt::Write;

use super::plot;
use super::{Drawing, Figure};
use crate::record::Stamp;

const STYLE: &str = "
:root { color-scheme: light dark; --paper: #FBFCFD; --card: #FFFFFF; --ink: #1D2430;
  --soft: #5B6573; --line: #DDE2E9; --accent: #0B62A4; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161D; --card: #1A2029; --ink: #E6EAF0;
  --soft: #A3ADBA; --line: #313A48; --accent: #6CB4F0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 0 16px; }
header { padding-top: 40px; padding-bottom: 8px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4em; letter-spacing: -.01em; }
header p { max-width: 46rem; margin: 0 0 1em; color: var(--soft); }
main { display: grid; gap: 20px; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 900px) { main { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
figure { margin: 0; padding: 18px 18px 14px; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px; }
h2 { font-size: 1.08rem; line-height: 1.3; margin: 0 0 .7em; }
figure svg { display: block; width: 100%; height: auto; }
@media (max-width: 520px) { header, main, footer { padding: 0 8px; } figure { padding: 14px 12px 10px; } }
figcaption { margin-top: .8em; font-size: .93rem; }
figcaption p { margin: 0 0 .5em; }
code { font: .86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  overflow-wrap: anywhere; color: var(--soft); }
a { color: var(--accent); }
details { margin-top: .4em; font-size: .86rem; }
summary { cursor: pointer; color: var(--soft); }
.data { overflow: auto; max-height: 20rem; margin-top: .5em; border: 1px solid var(--line);
  border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25em .6em; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th { position: sticky; top: 0; background: var(--card); }
th:first-child, td:first-child { text-align: left; }
footer { padding-top: 24px; padding-bottom: 48px; color: var(--soft); font-size: .86rem; }
footer pre { overflow: auto; }
";

/// In the dark, each colour of the drawings is another.
fn dark() -> String {
    let mut rules = String::from("@media (prefers-color-scheme: dark) {\n");
    for (light, dark) in plot::palette() {
        writeln!(
            rules,
            "svg [fill='{light}' i] {{ fill: {dark}; }} svg [stroke='{light}' i] {{ stroke: {dark}; }}"
        )
        .expect("a String takes all text");
    }
    rules + "}\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The drawing with its name and text alternative, and `style` in it.
fn labelled(figure: &Figure, drawing: &Drawing, style: &str) -> String {
    let name = figure.name;
    let opening = drawing.svg.find('>').expect("an SVG document has an opening tag");
    let (tag, rest) = drawing.svg.split_at(opening);
    let style = if style.is_empty() { String::new() } else { format!("<style>{style}</style>") };
    format!(
        "{tag} role=\"img\" aria-labelledby=\"{name}-title {name}-desc\">\
         <title id=\"{name}-title\">{}</title><desc id=\"{name}-desc\">{}</desc>{style}{}",
        escaped(figure.title),
        escaped(&drawing.alternative),
        &rest[1..]
    )
}

/// The drawing as a file of its own, on paper of its own.
pub(super) fn standalone(figure: &Figure, drawing: &Drawing) -> String {
    let paper = "svg { background: #FFFFFF; } \
                 @media (prefers-color-scheme: dark) { svg { background: #1A2029; } }";
    labelled(figure, drawing, &format!("{paper}\n{}", dark()))
}

/// The page with all figures.
pub(super) fn page(figures: &[(&Figure, Drawing)]) -> String {
    let cards: String = figures.iter().map(|(figure, drawing)| card(figure, drawing)).collect();
    let stamp = Stamp::take().text("zlab report");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; img-src data:\">\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <title>Zobrist Lab</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n\
         <header><h1>Zobrist Lab</h1>\n<p>A Zobrist key is a linear code, a collision is a \
         codeword, and its price is a count of pairs of positions. Every figure here was measured \
         when this page was made, by the command under it.</p></header>\n\
         <main>\n{cards}</main>\n<footer><details><summary>What it was made on</summary>\
         <pre>{}</pre></details></footer>\n</body>\n</html>\n",
        dark(),
        escaped(&stamp)
    )
}

fn card(figure: &Figure, drawing: &Drawing) -> String {
    let cells = |row: &[String], tag: &str| {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect::<String>()
    };
    let rows = drawing.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td")));
    format!(
        "<figure id=\"{name}\">\n<h2>{}</h2>\n{}\n<figcaption><p>{}</p>\n<code>{}</code>\n\
         <details><summary>The data ({} rows; also <a href=\"{name}.csv\">{name}.csv</a>, \
         <a href=\"{name}.svg\">{name}.svg</a>)</summary><div class=\"data\" tabindex=\"0\">\
         <table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div></details>\
         </figcaption>\n</figure>\n",
        escaped(figure.title),
        labelled(figure, drawing, ""),
        escaped(&drawing.caption),
        escaped(figure.command),
        drawing.rows.len(),
        cells(&drawing.header, "th"),
        rows.collect::<String>(),
        name = figure.name,
    )
}
