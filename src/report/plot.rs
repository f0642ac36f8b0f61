//! Charts and boards as SVG, in colours that a style sheet can exchange.
//!
//! ```text
//! Chart: series ─► plotters ─► <svg> with the palette's colours as attributes
//! a style sheet: [stroke="#0B62A4"] { stroke: … }     so one drawing serves light and dark
//! ```

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::board::Board;

/// Width of a chart in its own units: a phone shows them four fifths as large.
const WIDTH: u32 = 420;
const HEIGHT: u32 = 310;
const FONT: &str = "sans-serif";
const TEXT: i32 = 13;

/// The colours of series, in the order in which they are taken; each with what
/// the style sheet makes of it in the dark.
pub(super) const SERIES: [(RGBColor, &str); 6] = [
    (RGBColor(0x0B, 0x62, 0xA4), "#6CB4F0"),
    (RGBColor(0xC4, 0x54, 0x0A), "#F2A365"),
    (RGBColor(0x1B, 0x7F, 0x5C), "#5FD0A5"),
    (RGBColor(0x8A, 0x3F, 0xA0), "#CE9BE3"),
    (RGBColor(0xB0, 0x24, 0x3C), "#F28B9B"),
    (RGBColor(0x5B, 0x65, 0x73), "#A3ADBA"),
];
/// Text and axes.
pub(super) const INK: (RGBColor, &str) = (RGBColor(0x1D, 0x24, 0x30), "#E6EAF0");
/// Grid lines.
pub(super) const GRID: (RGBColor, &str) = (RGBColor(0xDD, 0xE2, 0xE9), "#313A48");
/// Squares of a board that are not in the set.
pub(super) const EMPTY: (RGBColor, &str) = (RGBColor(0xE9, 0xED, 0xF2), "#2A323F");

/// Every colour a drawing uses, and what it is in the dark.
pub(super) fn palette() -> impl Iterator<Item = (String, &'static str)> {
    let all = SERIES.into_iter().chain([INK, GRID, EMPTY]);
    all.map(|(RGBColor(red, green, blue), dark)| (format!("#{red:02X}{green:02X}{blue:02X}"), dark))
}

/// How the points of a series are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// A line with dots at the points.
    Line,
    /// A dashed line: what is not measured but expected, or a bound.
    Dashes,
}

/// One row of points.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) mark: Mark,
    pub(super) points: Vec<(f64, f64)>,
}

/// Whether an axis shows values or their powers of ten.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Linear,
    Log,
}

impl Scale {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Linear => value,
            Self::Log => value.log10(),
        }
    }

    /// The label of a place on the axis; none between powers of ten.
    fn label(self, place: f64) -> String {
        match self {
            Self::Linear => short(place),
            Self::Log if (place - place.round()).abs() > 1e-6 => String::new(),
            Self::Log => short(10f64.powi(place.round() as i32)),
        }
    }
}

/// Lines over a number.
pub(super) struct Chart {
    pub(super) x: &'static str,
    pub(super) y: &'static str,
    pub(super) scale: Scale,
    pub(super) series: Vec<Series>,
    /// A place on the axis to point at, and what is there.
    pub(super) note: Option<(f64, String)>,
}

/// A value as an axis shows it: 0.01, 5, 20k, 3M, 10⁻⁵.
fn short(value: f64) -> String {
    let size = value.abs();
    let trimmed = |value: f64, unit: &str| {
        let text = format!("{value:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}{unit}")
    };
    match size {
        _ if size == 0.0 => "0".into(),
        _ if size < 1e-4 => format!("{value:.0e}"),
        _ if size < 0.1 => format!("{value:.4}").trim_end_matches('0').into(),
        _ if size < 1e3 => trimmed(value, ""),
        _ if size < 1e6 => trimmed(value / 1e3, "k"),
        _ if size < 1e9 => trimmed(value / 1e6, "M"),
        _ => trimmed(value / 1e9, "G"),
    }
}

fn text(size: i32, colour: RGBColor) -> TextStyle<'static> {
    (FONT, size).into_font().color(&colour)
}

impl Chart {
    /// The chart as an SVG document.
    pub(super) fn svg(&self) -> String {
        drawn((WIDTH, HEIGHT), |root| self.draw(root))
    }

    fn draw(&self, root: &DrawingArea<SVGBackend, Shift>) {
        let names: Vec<&str> = self.series.iter().map(|series| &*series.name).collect();
        let top = legend(root, &names, |index| self.series[index].mark == Mark::Dashes);
        let points = || self.series.iter().flat_map(|series| &series.points);
        let [low_x, high_x] = bounds(points().map(|point| point.0));
        let [low_y, high_y] = bounds(points().map(|point| self.scale.of(point.1)));
        let (low_y, high_y) = match self.scale {
            Scale::Linear => (low_y.min(0.0), high_y * 1.05),
            Scale::Log => (low_y.floor(), high_y.ceil().max(low_y.floor() + 1.0)),
        };
        let mut chart = ChartBuilder::on(root)
            .margin_top(top)
            .margin_right(16)
            .margin_left(4)
            .margin_bottom(4)
            .x_label_area_size(42)
            .y_label_area_size(58)
            .build_cartesian_2d(low_x..high_x, low_y..high_y)
            .expect("a range");
        let decades = (high_y - low_y).round() as usize + 1;
        chart
            .configure_mesh()
            .x_desc(self.x)
            .y_desc(self.y)
            .x_labels(8)
            .y_labels(if self.scale == Scale::Log { decades.min(9) } else { 6 })
            .y_label_formatter(&|place| self.scale.label(*place))
            .x_label_formatter(&|place| short(*place))
            .axis_desc_style(text(TEXT, INK.0))
            .label_style(text(TEXT - 1, INK.0))
            .axis_style(SERIES[5].0)
            .bold_line_style(GRID.0)
            .light_line_style(TRANSPARENT)
            .draw()
            .expect("SVG takes all drawings");
        if let Some((x, words)) = &self.note {
            let line = [(*x, low_y), (*x, high_y)];
            let style = SERIES[5].0.stroke_width(1);
            chart.draw_series(DashedLineSeries::new(line, 2, 3, style)).expect("SVG");
            let (x, y) = chart.backend_coord(&(*x, high_y));
            let style = text(TEXT - 1, INK.0).pos(Pos::new(HPos::Left, VPos::Top));
            put(root, words, x + 5, y + 3, &style);
        }
        for (index, series) in self.series.iter().enumerate() {
            let colour = SERIES[index % SERIES.len()].0;
            let points = series.points.iter().map(|&(x, y)| (x, self.scale.of(y)));
            match series.mark {
                Mark::Line => {
                    let style = colour.stroke_width(2);
                    chart.draw_series(LineSeries::new(points.clone(), style)).expect("SVG");
                    let dot = |point| Circle::new(point, 3, colour.filled());
                    chart.draw_series(points.map(dot)).expect("SVG");
                }
                Mark::Dashes => {
                    let style = colour.stroke_width(2);
                    chart.draw_series(DashedLineSeries::new(points, 6, 4, style)).expect("SVG");
                }
            }
        }
    }
}

/// Bars in groups, one group a label, one bar in it a name.
pub(super) struct Bars {
    pub(super) unit: &'static str,
    pub(super) names: Vec<String>,
    /// A label and a value for each name, if there is one.
    pub(super) groups: Vec<(String, Vec<Option<f64>>)>,
    /// A line at the end of a group's bound, if it has one.
    pub(super) bounds: Vec<Option<f64>>,
}

impl Bars {
    /// Horizontal bars as an SVG document, each with its value beside it.
    pub(super) fn svg(&self) -> String {
        const BAR: i32 = 15;
        const GAP: i32 = 14;
        const LEFT: i32 = 118;
        let bars = |group: &[Option<f64>]| group.iter().flatten().count() as i32;
        let most = self.groups.iter().flat_map(|group| group.1.iter().flatten());
        let most = most.chain(self.bounds.iter().flatten()).copied().fold(0.0, f64::max);
        let rows: i32 = self.groups.iter().map(|(_, group)| bars(group) * BAR + GAP).sum();
        let height = 50 + rows + if self.unit.is_empty() { 0 } else { 26 };
        drawn((WIDTH, height as u32), |root| {
            let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
            let mut y = if names.len() > 1 { legend(root, &names, |_| false) as i32 } else { 12 };
            let scale = f64::from(WIDTH as i32 - LEFT - 66) / most;
            let right = Pos::new(HPos::Right, VPos::Center);
            for (index, (label, values)) in self.groups.iter().enumerate() {
                let tall = bars(values) * BAR;
                let style = text(TEXT, INK.0).pos(right);
                put(root, label, LEFT - 8, y + tall / 2, &style);
                let start = y;
                let bound = self.bounds.get(index).copied().flatten();
                let bound = bound.map(|bound| LEFT + (bound * scale).round() as i32);
                for (name, value) in values.iter().enumerate() {
                    let Some(value) = value else { continue };
                    let end = LEFT + (value * scale).round().max(1.0) as i32;
                    let colour = SERIES[name % SERIES.len()].0;
                    let bar = Rectangle::new([(LEFT, y + 1), (end, y + BAR - 2)], colour.filled());
                    root.draw(&bar).expect("SVG");
                    let words = short(*value);
                    // Where the bound's line would strike it through, beyond that line.
                    let near = end + 5..end + 5 + 8 * words.chars().count() as i32;
                    let struck = bound.filter(|x| (near.start - 3..near.end + 3).contains(x));
                    let x = struck.map_or(near.start, |x| x + 5);
                    let style = text(TEXT - 1, INK.0).pos(Pos::new(HPos::Left, VPos::Center));
                    put(root, &words, x, y + BAR / 2, &style);
                    y += BAR;
                }
                if let Some(x) = bound {
                    let ends = [(x, start - 3), (x, y + 2)];
                    root.draw(&PathElement::new(ends, SERIES[4].0.stroke_width(2))).expect("SVG");
                }
                y += GAP;
            }
            let style = text(TEXT, INK.0).pos(Pos::new(HPos::Center, VPos::Center));
            put(root, self.unit, LEFT + (WIDTH as i32 - LEFT) / 2, y + 6, &style);
        })
    }
}

/// Sets of squares in groups, each set with a line below it.
pub(super) struct Boards {
    pub(super) board: Board,
    pub(super) groups: Vec<Group>,
    pub(super) per_row: usize,
}

/// Sets drawn in one colour.
pub(super) struct Group {
    /// What they are; nothing is written for none.
    pub(super) heading: String,
    pub(super) colour: usize,
    /// A set and the line below it.
    pub(super) sets: Vec<(u64, String)>,
}

impl Boards {
    /// The boards as an SVG document.
    pub(super) fn svg(&self) -> String {
        const HEADING: i32 = 24;
        let (rows, columns) = (self.board.rows() as i32, self.board.columns() as i32);
        let per_row = self.per_row as i32;
        let wide = (WIDTH as i32 - 8) / per_row;
        let cell = (wide - 12) / columns;
        let mut labels = self.groups.iter().flat_map(|group| &group.sets);
        let tall = rows * cell + if labels.any(|(_, label)| !label.is_empty()) { 28 } else { 12 };
        let above = |group: &Group| if group.heading.is_empty() { 0 } else { HEADING };
        let lines = |group: &Group| group.sets.len().div_ceil(self.per_row) as i32;
        let height: i32 = self.groups.iter().map(|group| above(group) + lines(group) * tall).sum();
        drawn((WIDTH, (height + 8) as u32), |root| {
            let mut top = 4;
            for group in &self.groups {
                let style = text(TEXT, INK.0).pos(Pos::new(HPos::Left, VPos::Center));
                put(root, &group.heading, 10, top + HEADING / 2 - 2, &style);
                top += above(group);
                for (index, (set, label)) in group.sets.iter().enumerate() {
                    let left = 4 + (index as i32 % per_row) * wide + (wide - columns * cell) / 2;
                    let top = top + (index as i32 / per_row) * tall;
                    for square in 0..self.board.squares() as i32 {
                        let x = left + square % columns * cell;
                        let y = top + square / columns * cell;
                        let colour = SERIES[group.colour % SERIES.len()].0;
                        let colour = if set >> square & 1 == 1 { colour } else { EMPTY.0 };
                        let corners = [(x, y), (x + cell - 2, y + cell - 2)];
                        root.draw(&Rectangle::new(corners, colour.filled())).expect("SVG");
                    }
                    let style = text(TEXT, INK.0).pos(Pos::new(HPos::Center, VPos::Top));
                    put(root, label, left + columns * cell / 2, top + rows * cell + 3, &style);
                }
                top += lines(group) * tall;
            }
        })
    }
}

fn put(root: &DrawingArea<SVGBackend, Shift>, words: &str, x: i32, y: i32, style: &TextStyle) {
    if !words.is_empty() {
        root.draw_text(words, style, (x, y)).expect("SVG takes all text");
    }
}

/// Writes the names of series in their colours across the top; returns where
/// the drawing may begin.
fn legend(
    root: &DrawingArea<SVGBackend, Shift>,
    names: &[&str],
    dashed: impl Fn(usize) -> bool,
) -> u32 {
    let (mut x, mut y) = (8, 12);
    for (index, name) in names.iter().enumerate() {
        // A letter of this size is about seven units wide.
        let wide = 24 + 7 * name.chars().count() as i32 + 10;
        if x > 8 && x + wide > WIDTH as i32 {
            (x, y) = (8, y + 19);
        }
        let colour = SERIES[index % SERIES.len()].0;
        let strokes: &[(i32, i32)] = if dashed(index) { &[(0, 6), (10, 16)] } else { &[(0, 16)] };
        for &(from, to) in strokes {
            let stroke = Rectangle::new([(x + from, y - 2), (x + to, y + 2)], colour.filled());
            root.draw(&stroke).expect("SVG");
        }
        let style = text(TEXT, INK.0).pos(Pos::new(HPos::Left, VPos::Center));
        put(root, name, x + 21, y, &style);
        x += wide;
    }
    (y + 18) as u32
}

fn bounds(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    for value in values.filter(|value| value.is_finite()) {
        (low, high) = (low.min(value), high.max(value));
    }
    if low < high { [low, high] } else { [low - 1.0, high + 1.0] }
}

fn drawn(size: (u32, u32), draw: impl FnOnce(&DrawingArea<SVGBackend, Shift>)) -> String {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        draw(&root);
        root.present().expect("a string takes all drawings");
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_short() {
        let cases = [
            (0.0, "0"),
            (0.5, "0.5"),
            (0.001, "0.001"),
            (12.0, "12"),
            (20_000.0, "20k"),
            (3.5e6, "3.5M"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!(Scale::Log.label(0.5), "");
        assert_eq!(Scale::Log.label(4.0), "10k");
    }

    #[test]
    fn a_bound_strikes_no_label_through() {
        let left_of = |value: f64| -> (i32, i32) {
            let bars = Bars {
                unit: "",
                names: vec!["rate".into()],
                groups: vec![("a".into(), vec![Some(value)])],
                bounds: vec![Some(100.0)],
            };
            let svg = bars.svg();
            let number = |text: &str| text.split(['"', ',']).next().unwrap().parse().unwrap();
            let line = svg.split("points=\"").nth(1).expect("the bound");
            let label = svg.rsplit("<text x=\"").find(|text| text.contains(&short(value)));
            (number(label.expect("the value")), number(line))
        };
        for value in 1..=120 {
            let (label, line) = left_of(f64::from(value));
            let wide = 8 * short(f64::from(value)).len() as i32;
            assert!(line < label || label + wide < line, "{value}: {label} to {wide} more, {line}");
        }
    }

    #[test]
    fn a_chart_uses_only_colours_that_have_a_dark_twin() {
        let series = |name: &str, mark| Series {
            name: name.into(),
            mark,
            points: vec![(1.0, 10.0), (2.0, 1000.0)],
        };
        let chart = Chart {
            x: "bits",
            y: "pairs",
            scale: Scale::Log,
            series: vec![series("one", Mark::Line), series("two", Mark::Dashes)],
            note: Some((1.5, "between".into())),
        };
        let svg = chart.svg();
        let known: Vec<String> = palette().map(|(light, _)| light).collect();
        for part in svg.split("=\"#").skip(1) {
            let colour = format!("#{}", &part[..6]);
            // Strokes of no opacity have a colour all the same.
            let seen = known.contains(&colour) || colour == "#FFFFFF" || colour == "#000000";
            assert!(seen, "{colour} in {svg}");
        }
        for words in ["pairs", "between"] {
            assert!(svg.contains(&format!("{words}\n")), "{words} in {svg}");
        }
    }
}
