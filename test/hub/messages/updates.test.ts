import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { ConsoleHeld } from '../../../contract/update.ts'
import { consoleInWords } from '../../../hub/messages/updates.ts'
import { areSaid, both } from '../../kit/both.ts'

const test = suite('updates of the console in words')

const held = (some: Partial<ConsoleHeld>): ConsoleHeld => ({ version: '1.2.3', slot: 'a', use: 'kept', ...some })

test('where a console is, and how it is used, has words in both languages', () => {
  for (const slot of ['built-in', 'a', 'b', 'uploaded'] as const)
    areSaid((language) => [consoleInWords(language, held({ slot })).place ?? ''])
  for (const use of ['ready', 'active', 'trial', 'former', 'kept'] as const)
    areSaid((language) => [consoleInWords(language, held({ use })).text ?? ''])
})

test('one on trial says how long it has left', () => {
  assert.deepEqual(
    both((language) => consoleInWords(language, held({ use: 'trial', left: 42 })).text),
    ['On trial for 42 s', '试运行，剩余 42 秒']
  )
  assert.equal(consoleInWords('en', held({ use: 'trial', left: 42 })).tone, 'busy')
})

test.run()
