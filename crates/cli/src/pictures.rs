//! Charts as PNG, for places that do not show SVG.

use anyhow::{Context, Result, anyhow};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels for one unit of a chart: sharp in print.
const SCALE: f32 = 2.0;

/// Draws an SVG. The font is our own: a machine without fonts draws the same picture.
pub(crate) fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = fonts
        .faces()
        .next()
        .and_then(|face| face.families.first())
        .map(|(name, _)| name.clone())
        .context("the font has no name")?;
    fonts.set_sans_serif_family(family);
    let options = Options { fontdb: fonts.into(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| anyhow!("a chart: {error}"))?;
    let size = tree.size().to_int_size();
    let pixels = |length: u32| (length as f32 * SCALE).ceil() as u32;
    let mut pixmap =
        Pixmap::new(pixels(size.width()), pixels(size.height())).context("a chart without size")?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixmap.as_mut());
    Ok(pixmap.encode_png()?)
}
