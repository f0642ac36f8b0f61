//! The report, opened in a browser: at phone and desktop width nothing is
//! logged, nothing is asked for, and every figure can be seen and read out.

use std::fs;
use std::path::Path;
use std::process::Command;

use zobrist_lab::report::FIGURES;

/// A browser by any of its names.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    })
}

/// Loads a page without a screen and returns its document and what it logged.
fn loaded(browser: &str, page: &Path, width: u32) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let logged = String::from_utf8_lossy(&output.stderr);
    let console: Vec<&str> = logged.lines().filter(|line| line.contains("CONSOLE")).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console.join("\n"))
}

/// A page that holds the report in a frame of some width (a window has a least
/// one, wider than a phone), measures every figure and leaves what it found.
fn probe(page: &str, width: u32) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<!DOCTYPE html><title>probe</title>\
        <iframe id=frame style=\"border:0;width:{width}px;height:900px\" srcdoc=\"{page}\"></iframe>\
        <pre id=found></pre><script>{MEASURE}</script>"
    )
}

const MEASURE: &str = r#"
onload = () => {
  const { contentDocument: page, contentWindow: inside } = document.getElementById("frame");
  const figures = [...page.querySelectorAll("figure")].map(figure => {
    const svg = figure.querySelector("svg"), box = svg.getBoundingClientRect();
    const named = svg.getAttribute("aria-labelledby").split(" ");
    return { id: figure.id, width: box.width, height: box.height, left: box.left,
      right: box.right, seen: svg.checkVisibility(),
      shapes: svg.querySelectorAll("rect, polyline, circle, path").length,
      words: named.map(id => page.getElementById(id).textContent.length),
      caption: figure.querySelector("figcaption p").textContent.length };
  });
  document.getElementById("found").textContent = JSON.stringify({ figures,
    window: inside.innerWidth, page: page.documentElement.scrollWidth,
    asked: inside.performance.getEntriesByType("resource").map(entry => entry.name) });
};"#;

#[test]
fn the_page_shows_every_figure_at_every_width_and_asks_for_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_zlab"))
        .args(["report", "--json", "--out"])
        .arg(directory.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let written: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(written["figures"], FIGURES.len());
    let page = fs::read_to_string(directory.path().join("index.html")).unwrap();
    assert!(page.len() < 3 << 20, "the page has {} bytes", page.len());
    assert!(page.contains("default-src 'none'") && !page.contains("<script"), "no scripts");
    for address in ["http://", "https://"] {
        // The name of the SVG namespace is no address that is asked for.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains(address), "{address}");
    }
    for figure in FIGURES {
        let csv = fs::read_to_string(directory.path().join(format!("{}.csv", figure.name)));
        assert!(csv.unwrap().lines().count() > 3, "{}: rows of data", figure.name);
        let svg = fs::read_to_string(directory.path().join(format!("{}.svg", figure.name)));
        assert!(svg.unwrap().contains("<desc"), "{}: a text alternative", figure.name);
    }

    let Some(browser) = browser() else {
        // Where checks are run for others, a missing browser is a failure.
        assert!(std::env::var_os("CI").is_none(), "no chromium to open the page in");
        println!("SKIPPED: no chromium, chromium-browser or google-chrome to open the page in");
        return;
    };
    let probed = directory.path().join("probed.html");
    for width in [390, 1280] {
        fs::write(&probed, probe(&page, width)).unwrap();
        let (_, console) = loaded(browser, &directory.path().join("index.html"), width);
        assert_eq!(console, "", "the page logs nothing at width {width}");
        let (document, console) = loaded(browser, &probed, width);
        assert_eq!(console, "", "the probe logs nothing at width {width}");
        let found = document.split_once("<pre id=\"found\">").expect("the probe ran").1;
        let found = found.split_once("</pre>").unwrap().0;
        let found: serde_json::Value = serde_json::from_str(found).unwrap();
        assert_eq!(found["asked"], serde_json::json!([]), "it asks for nothing");
        let (window, wide) = (found["window"].as_u64().unwrap(), found["page"].as_u64().unwrap());
        assert_eq!(window, u64::from(width));
        assert!(wide <= window, "{wide} wide in a window of {window}");
        let figures = found["figures"].as_array().unwrap();
        assert_eq!(figures.len(), FIGURES.len());
        for figure in figures {
            let size = |side: &str| figure[side].as_f64().unwrap();
            assert_eq!(figure["seen"], true, "{figure}");
            assert!(size("width") > 280.0 && size("height") > 100.0, "{figure}");
            assert!(size("left") >= 0.0 && size("right") <= window as f64, "{figure}");
            assert!(figure["shapes"].as_u64().unwrap() > 10, "{figure}");
            let words = figure["words"].as_array().unwrap();
            assert!(words.iter().all(|letters| letters.as_u64().unwrap() > 10), "{figure}");
            assert!(figure["caption"].as_u64().unwrap() > 30, "{figure}");
        }
        println!("{} figures at width {window} by {browser}", figures.len());
    }
}
