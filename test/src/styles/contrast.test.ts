// Contrast ratios of WCAG 2.2 AA: 4.5 for text, 3 between a field or curve and its background.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'

const test = suite('contrast')

const sheet = readFileSync(join(process.cwd(), 'src/styles/_theme.scss'), 'utf8')

/** The colours of a custom property in the light and the dark theme. */
function colours(name: string): string[] {
  const value = new RegExp(`--${name}: ([^;]+);`).exec(sheet)?.[1] ?? ''
  const matches = value.match(/#[0-9a-f]{3,6}/g) ?? []
  assert.ok(matches.length > 0, `--${name} has no colour`)
  return matches.length === 1 ? [...matches, ...matches] : [...matches]
}

function luminance(colour: string): number {
  const digits = colour.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const parts = [0, 2, 4].map((start) => {
    const part = Number.parseInt(full.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = parts
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function assertContrast(foregrounds: readonly string[], backgrounds: readonly string[], minContrast: number): void {
  for (const foreground of foregrounds)
    for (const background of backgrounds)
      for (const [theme, name] of ['light', 'dark'].entries()) {
        const [foregroundColour = '', backgroundColour = ''] = [colours(foreground)[theme], colours(background)[theme]]
        const ratio = contrast(foregroundColour, backgroundColour)
        assert.ok(
          ratio >= minContrast,
          `--${foreground} ${foregroundColour} on --${background} ${backgroundColour}, ${name}: ${ratio.toFixed(2)}`
        )
      }
}

test('text and status colours have enough contrast on every background', () => {
  const backgrounds = ['background-color', 'surface', 'raised', 'accent-soft']
  assertContrast(['color', 'muted', 'accent', 'good', 'warn', 'bad', 'off'], backgrounds, 4.5)
})

test('text on coloured grounds has enough contrast', () => {
  assertContrast(['on-ground'], ['accent-ground', 'bad-ground', 'alarm', 'badge'], 4.5)
  assertContrast(['picture-text'], ['picture'], 4.5)
})

test('the menu text has enough contrast', () => assertContrast(['menu-text'], ['menu', 'menu-here'], 4.5))

test('the focus rings in the menu, which is dark in both themes, have enough contrast', () => {
  const styles = (name: string) => readFileSync(join(process.cwd(), `src/styles/_${name}.scss`), 'utf8')
  const entry = /\.menu \{.*?outline-color: var\(--([^;]+)\);/s.exec(styles('frame'))?.[1] ?? ''
  const tree = /\.tree \{.*?outline: 2px solid var\(--([^;]+)\);/s.exec(styles('parts'))?.[1] ?? ''
  assertContrast([entry, tree], ['menu', 'menu-here'], 3)
})

test('fields and curves have enough contrast to their background', () => {
  assertContrast(['edge', 'accent', 'other'], ['surface'], 3)
})

test.run()
