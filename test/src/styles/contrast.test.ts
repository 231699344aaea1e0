// WCAG 2.2 AA: 4.5 for text, 3 for what tells a field or a curve from its ground.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'

const test = suite('contrast')

const sheet = readFileSync(join(process.cwd(), 'src/styles/_theme.scss'), 'utf8')

/** A variable's colours, for light and for dark. */
function colours(name: string): string[] {
  const value = new RegExp(`--${name}: ([^;]+);`).exec(sheet)?.[1] ?? ''
  const found = value.match(/#[0-9a-f]{3,6}/g) ?? []
  assert.ok(found.length > 0, `--${name} has no colour`)
  return found.length === 1 ? [...found, ...found] : [...found]
}

function luminance(colour: string): number {
  const digits = colour.slice(1)
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  const parts = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = parts
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function holds(fronts: readonly string[], grounds: readonly string[], least: number): void {
  for (const front of fronts)
    for (const ground of grounds)
      for (const [theme, name] of ['light', 'dark'].entries()) {
        const [one = '', other = ''] = [colours(front)[theme], colours(ground)[theme]]
        const is = contrast(one, other)
        assert.ok(is >= least, `--${front} ${one} on --${ground} ${other}, ${name}: ${is.toFixed(2)}`)
      }
}

test('text and states can be read on every ground they stand on', () => {
  const grounds = ['background-color', 'surface', 'raised', 'accent-soft']
  holds(['color', 'muted', 'accent', 'good', 'warn', 'bad', 'off'], grounds, 4.5)
})

test('white can be read on what asks to be pressed', () => {
  for (const name of ['accent-ground', 'bad-ground'])
    for (const colour of colours(name)) assert.ok(contrast('#fff', colour) >= 4.5, `${name} ${colour}`)
})

test('the menu can be read', () => holds(['menu-text'], ['menu', 'menu-here'], 4.5))

test('fields and curves stand out from their ground', () => {
  holds(['edge', 'accent', 'other'], ['surface'], 3)
})

test.run()
