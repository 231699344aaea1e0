// Sentences about the installed consoles.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { StoredConsole } from '../../../contract/update.ts'
import { describeConsole } from '../../../hub/messages/updates.ts'
import { assertTranslated, inBothLanguages } from '../../kit/both-languages.ts'

const test = suite('update messages')

const consoleWith = (fields: Partial<StoredConsole>): StoredConsole => ({
  version: '1.2.3',
  slot: 'a',
  use: 'kept',
  ...fields
})

test('slot and use of a console have labels in both languages', () => {
  for (const slot of ['built-in', 'a', 'b', 'uploaded'] as const)
    assertTranslated((language) => [describeConsole(language, consoleWith({ slot })).place ?? ''])
  for (const use of ['ready', 'active', 'trial', 'former', 'kept'] as const)
    assertTranslated((language) => [describeConsole(language, consoleWith({ use })).text ?? ''])
})

test('a console on trial shows its remaining time', () => {
  assert.deepEqual(
    inBothLanguages((language) => describeConsole(language, consoleWith({ use: 'trial', left: 42 })).text),
    ['On trial, 42 s left', '试运行，剩余 42 秒']
  )
  assert.equal(describeConsole('en', consoleWith({ use: 'trial', left: 42 })).tone, 'busy')
})

test.run()
