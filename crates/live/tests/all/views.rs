//! Nobody is told what their seat may not know.

use proptest::prelude::*;

use crate::host::{Happening, Host, agent, asked, happening, person};

/// Two games that look the same to seat 0: the opponent's last card differs, which is shown at the end
/// if at all. The opponent decides by lot, so nothing else can differ.
fn twins() -> [Host; 2] {
    ["123 341 0 open 0 ...", "123 345 0 open 0 ..."].map(|position| {
        let mut asked = asked("mini-poker", [person(), agent("random")], None);
        asked.position = Some(position.into());
        Host::new(asked)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_told_does_not_depend_on_hidden_cards(
        happenings in prop::collection::vec(happening(), 1..40),
    ) {
        let [mut one, mut other] = twins();
        one.happens(&Happening::Joins);
        other.happens(&Happening::Joins);
        for happening in &happenings {
            one.happens(happening);
            other.happens(happening);
            if one.state().ending.is_some() || other.state().ending.is_some() {
                break;
            }
            prop_assert_eq!(std::mem::take(&mut one.told), std::mem::take(&mut other.told));
        }
    }
}
