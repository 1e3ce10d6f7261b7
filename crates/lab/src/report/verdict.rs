//! What becomes of the claims of a paper.

use serde::Serialize;

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// Measured so.
    Holds,
    /// Measured so in some settings, not in others.
    HoldsInPart,
    /// Measured otherwise.
    DoesNotHold,
    /// What was measured allows both.
    NotShown,
    /// Contradicts what can be proved.
    CannotBeSo,
    /// Needs what is not published or not at hand.
    NotTestableHere,
    /// Published and measured, but not of the same thing.
    NotComparable,
}

impl Ruling {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsInPart => "holds in part",
            Self::DoesNotHold => "does not hold",
            Self::NotShown => "not shown",
            Self::CannotBeSo => "cannot be so",
            Self::NotTestableHere => "not testable here",
            Self::NotComparable => "not comparable",
        }
    }
}

/// A claim and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// What the paper says.
    pub claim: String,
    /// What became of it.
    pub ruling: Ruling,
    /// The number measured, with n and interval; what reasoning rests on where nothing could be.
    pub measured: String,
    /// Why, in a sentence or two.
    pub why: String,
}

impl Verdict {
    /// For a page of Markdown.
    pub(crate) fn as_markdown(&self) -> String {
        let Self { claim, ruling, measured, why, .. } = self;
        let ruling = ruling.words().to_uppercase();
        let basis = self.basis();
        format!("- **{claim}** {ruling}  \n  {basis}: {measured}.  \n  {why}\n")
    }

    /// What the ruling rests on.
    pub(crate) fn basis(&self) -> &'static str {
        match self.ruling {
            Ruling::NotTestableHere => "By reasoning, nothing measured",
            _ => "Measured",
        }
    }
}
