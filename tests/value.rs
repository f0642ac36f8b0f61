//! The laws of values.
use zobrist_lab::value::*;

#[test]
fn smoke() {
    let values = Values::new();
    for text in ["0", "∗", "∗2", "↑", "↓∗", "⇑", "↑3∗2", "1/2", "-3/4↓∗", "±1", "{1|-2}", "{∗,↑|∗,↓}", "{∗|↓}", "{↓,{∗,↑|∗,↓}|0}", "±1/2↑"] {
        let v = values.parse(text).unwrap();
        assert_eq!(values.notation(v), text);
    }
    for bad in ["", "{", "{0", "{0|", "{0|}}", "1/3", "x", "*999", "{0,|}", "99999999999999999999", "-"] {
        println!("{}", values.parse(bad).unwrap_err());
    }
}
