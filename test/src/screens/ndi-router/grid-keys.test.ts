import assert from 'node:assert/strict'
import { suite } from 'uvu'
import {
  findItem,
  type GridState,
  handleGridKey,
  type KeyResult,
  NO_ENTRY
} from '../../../../src/screens/ndi-router/grid-keys.ts'

const test = suite('keys of the matrix')

const DESTINATIONS = ['Foyer', 'Overflow hall', 'Nursery TV', 'Stage left', 'Stage right', 'Lobby']
const SOURCES = ['No source', 'CAM 1 Altar', 'CAM 2 Pulpit', 'Graphics', 'Playout']
const axes = {
  destinations: DESTINATIONS.map((label, position) => ({ index: position + 1, label })),
  sources: SOURCES.map((label, index) => ({ index, label }))
}
const START: GridState = { cursor: { destination: 1, source: 1 }, entry: NO_ENTRY }

/** Presses keys one after the other; `S+` and `C+` are Shift and Ctrl. @returns the state and the commands */
function press(keys: readonly string[], start = START) {
  let state: GridState = start
  const commands: string[] = []
  for (const key of keys) {
    const pressed = { key: key.replace(/^[SC]\+/, ''), shiftKey: key.startsWith('S+'), ctrlKey: key.startsWith('C+') }
    const result: KeyResult | undefined = handleGridKey(pressed, axes, state)
    if (!result) continue
    state = result
    if (result.command) commands.push(`${result.command} ${result.cursor.destination}-${result.cursor.source}`)
  }
  return { ...state, commands }
}
const at = (destination: number, source: number) => ({ destination, source })

test('arrow keys move by a cell and stop at the edges', () => {
  assert.deepEqual(press(['ArrowDown', 'ArrowRight']).cursor, at(2, 2))
  assert.deepEqual(press(['ArrowUp', 'ArrowLeft', 'ArrowLeft']).cursor, at(1, 0))
  assert.deepEqual(press(['PageDown', 'End']).cursor, at(6, 4))
  assert.deepEqual(press(['End', 'Home']).cursor, at(1, 0))
  assert.deepEqual(press(['C+End']).cursor, at(6, 4))
  assert.deepEqual(press(['C+End', 'C+Home']).cursor, at(1, 0))
})

test('Enter acts on the cell, Shift+Enter takes at once, Space arms', () => {
  assert.deepEqual(press(['Enter', 'S+Enter', ' ']).commands, ['enter 1-1', 'take 1-1', 'toggle 1-1'])
})

test('a number, Enter, a number and Enter act on destination and source', () => {
  assert.deepEqual(press(['5', 'Enter', '3', 'Enter']).commands, ['enter 5-3'])
  assert.deepEqual(press(['5', 'Enter', '3', 'S+Enter']).commands, ['take 5-3'])
  assert.deepEqual(press(['5', 'Enter', '0', 'Enter']).commands, ['enter 5-0'])
  assert.deepEqual(press(['5', 'Enter', '3', 'Enter']).entry, NO_ENTRY)
})

test('a name is found by its beginning, then by that of a word', () => {
  assert.deepEqual(press([...'nur', 'Enter', ...'gra', 'Enter']).commands, ['enter 3-3'])
  assert.deepEqual(press([...'right', 'Enter', ...'cam 2', 'Enter']).commands, ['enter 5-2'])
  assert.equal(findItem(axes.destinations, 'stage')?.index, 4)
  assert.equal(findItem(axes.destinations, 'ursery'), undefined)
})

test('typing moves the cursor to the matching destination or source, and Backspace deletes the last character', () => {
  assert.deepEqual(press(['3']).cursor, at(3, 1))
  assert.deepEqual(press(['3', 'Backspace', '2']).cursor, at(2, 1))
  assert.equal(press(['3', 'Backspace', '2']).entry.text, '2')
})

test('an unknown number or name does nothing but say so', () => {
  const { commands, cursor, entry } = press(['9', '9', 'Enter'])
  assert.deepEqual([commands, cursor, entry], [['missing 1-1'], at(1, 1), NO_ENTRY])
  assert.deepEqual(press(['5', 'Enter', '7', '7', 'Enter']).commands, ['missing 5-1'])
})

test('Enter without a source does nothing, so that nothing is taken by accident', () => {
  const { commands, entry } = press(['5', 'Enter', 'Enter'])
  assert.deepEqual([commands, entry.phase], [[], 'source'])
})

test('Shift+L locks, but is a letter while a name is typed, and L without Shift always is one', () => {
  assert.deepEqual(press(['S+L', 'S+l']).commands, ['lock 1-1', 'lock 1-1'], 'also with Caps Lock')
  assert.deepEqual(press(['u', 'S+L']).commands, [])
  assert.deepEqual(press(['1', 'Enter', 'S+L']).commands, [])
  assert.deepEqual(press([...'lobby', 'Enter', ...'gra', 'Enter']).commands, ['enter 6-3'])
  assert.deepEqual(press(['L']).entry.text, 'L')
})

test('Escape clears the typed text first, then the armed changes', () => {
  assert.deepEqual(press(['5', 'Escape']).entry, NO_ENTRY)
  assert.deepEqual(press(['5', 'Escape']).commands, [])
  assert.deepEqual(press(['5', 'Enter', 'Escape', 'Escape']).commands, ['clear 5-1'])
})

test('moving the cursor ends typing', () => {
  assert.deepEqual(press(['5', 'Enter', 'ArrowDown']).entry, NO_ENTRY)
})

test('other keys are left to the browser', () => {
  for (const key of ['Tab', 'F5', 'C+r', 'Shift', 'Backspace'])
    assert.equal(
      handleGridKey({ key: key.replace('C+', ''), ctrlKey: key.startsWith('C+') }, axes, START),
      undefined,
      key
    )
  assert.equal(handleGridKey({ key: 'f', altKey: true }, axes, START), undefined)
  assert.deepEqual(press(['C+z', '/', '?']).commands, ['undo 1-1', 'find 1-1', 'help 1-1'])
})

test.run()
