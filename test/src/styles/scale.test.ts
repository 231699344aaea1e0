// Sizes of texts and distances come from one file, colours from another, and no rule says left or right.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { projectFiles, textOf } from '../../house/sources.ts'

const test = suite('style sheet')

/** Larger distances are the layout of one place. */
const SCALE_MAX = 24
/** Distances that another size decides: the height of a meter, of a label, of a symbol. */
const MEASURED: Readonly<Record<string, readonly string[]>> = {
  '_channel.scss': ['7px'],
  '_forms.scss': ['23px'],
  '_router.scss': ['23px']
}

const sheets = projectFiles()
  .filter((path) => /^src\/styles\/_(?!theme|scale).*\.scss$/.test(path))
  .map((path) => ({ name: path.slice('src/styles/'.length), rules: textOf(path).replace(/\/\/.*/g, '') }))

/** The faults that a check finds in the sheets, each with its file. */
const faults = (find: (rules: string, name: string) => readonly string[]) =>
  sheets.flatMap(({ name, rules }) => find(rules, name).map((text) => `${name}: ${text}`))

test('every size of a text is of the scale', () => {
  assert.ok(sheets.length > 8)
  assert.deepEqual(
    // The wall display grows with the screen.
    faults((rules) => rules.match(/font-size: (?!clamp\()[^;]*\dpx|font-size: clamp\(\d[^;]*/g) ?? []),
    []
  )
})

test('every distance up to 24 px is of the scale, except hairlines', () => {
  const isOffScale = (px: string, name: string) =>
    Number.parseInt(px, 10) > 1 && Number.parseInt(px, 10) <= SCALE_MAX && !MEASURED[name]?.includes(px)
  assert.deepEqual(
    faults((rules, name) =>
      [...rules.matchAll(/^\s*(?:(?:row-|column-)?gap|padding|margin)[a-z-]*:[^;]*;/gm)]
        .flatMap(([rule]) => rule.match(/\d+px/g) ?? [])
        .filter((px) => isOffScale(px, name))
    ),
    []
  )
})

test('every colour has a name in the theme; only shadows are written where they fall', () => {
  assert.deepEqual(
    faults((rules) => rules.match(/#[0-9a-f]{3,8}\b|\b(?:hsl|oklch|light-dark)\(/g) ?? []),
    []
  )
})

test('no rule says left or right, so that a language that is written from the right needs no other sheet', () => {
  assert.deepEqual(
    faults(
      (rules) => rules.match(/^\s*(?:(?:margin|padding|border)-)?(?:left|right)\b[^;]*;|: (?:left|right);/gm) ?? []
    ),
    []
  )
})

test('nothing moves for longer than 150 ms', () => {
  const times = sheets.flatMap(({ rules }) =>
    [...rules.matchAll(/^\s*(?:transition|animation)[^;]*?([\d.]+)(m?s)\b/gm)].map(
      ([, time, unit]) => Number(time) * (unit === 's' ? 1000 : 1)
    )
  )
  assert.ok(times.length > 0)
  assert.deepEqual(
    times.filter((time) => time > 150),
    []
  )
})

test.run()
