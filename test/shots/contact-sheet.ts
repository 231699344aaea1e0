// The contact sheet: a page with a row for each screen and a column for each variant of it.

/** A way to look at a screen. */
export interface Variant {
  language: 'en' | 'zh'
  theme: 'light' | 'dark'
  /** Size of the window in pixels. */
  width: number
  height: number
}

/** Height of a picture on the sheet, in pixels. */
const PICTURE_HEIGHT = 220

/** Phones, laptops and the screens of control rooms. */
const SIZES = [
  { width: 360, height: 760 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 }
] as const

/** Every variant, in the order of the columns. */
export const VARIANTS: readonly Variant[] = (['en', 'zh'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => SIZES.map((size) => ({ language, theme, ...size })))
)

/** The file of a picture: the path of the screen without characters that file systems treat in their own ways. */
export function pictureFile(path: string, { language, theme, width }: Variant): string {
  const name = path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')
  return `${name}.${language}.${theme}.${width}.png`
}

const escapeText = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** The sheet as HTML that lies beside the pictures. @param paths the screens, in the order of the rows */
export function contactSheet(paths: readonly string[]): string {
  const picture = (path: string, variant: Variant) => {
    const file = pictureFile(path, variant)
    const width = Math.round((variant.width / variant.height) * PICTURE_HEIGHT)
    return `<a href="${file}"><img src="${file}" alt="${file}" width="${width}" height="${PICTURE_HEIGHT}"></a>`
  }
  const rows = paths.map(
    (path) => `<h2>${escapeText(path)}</h2><p>${VARIANTS.map((variant) => picture(path, variant)).join('')}</p>`
  )
  return `<!doctype html>
<meta charset="utf-8">
<title>Screens of the console</title>
<style>
  body { margin: 8px; background: #888; font: 14px sans-serif; width: max-content }
  h2 { margin: 4px 0; font-size: 14px }
  p { display: flex; gap: 4px; margin: 0 }
  img { display: block }
</style>
${rows.join('\n')}
`
}
