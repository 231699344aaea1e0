import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { SwitchRule } from '../../../contract/stream/channel.ts'
import { type Candidate, type Choice, choose, NOTHING_YET } from '../../../engine/inputs/switch-rule.ts'

const test = suite('switch rule')

const RULE: SwitchRule = { 'after-s': 3, back: 'first', 'back-after-s': 30 }

/** Inputs that carry or are silent, on a clock in seconds that moves when told. */
function bench(count: number, rule = RULE, slate = false) {
  const inputs: Candidate[] = Array.from({ length: count }, () => ({ last: undefined, since: 0 }))
  const on = new Set<number>()
  let now = 0
  let choice: Choice = NOTHING_YET
  return {
    carry: (...places: number[]) => {
      on.clear()
      for (const place of places) on.add(place)
    },
    /** Lets so many seconds pass, and answers what is on air and why. */
    pass(seconds: number): string {
      for (let step = 0; step < seconds * 2; step++) {
        now += 500
        for (const [place, input] of inputs.entries()) {
          if (!on.has(place)) continue
          if (input.last === undefined || now - input.last >= rule['after-s'] * 1000) input.since = now
          input.last = now
        }
        choice = choose(choice, inputs, { now, began: 0, rule, slate })
      }
      return `${choice.slate ? 'slate' : (choice.place ?? 'nothing')}: ${choice.why}`
    }
  }
}

test('the first input is on air as soon as it carries', () => {
  const { carry, pass } = bench(2)
  assert.equal(pass(1), 'nothing: on-air-none')
  carry(0, 1)
  assert.equal(pass(0.5), '0: on-air-first')
})

test('a backup waits for the first input to have its time, and then takes its place', () => {
  const { carry, pass } = bench(2)
  carry(1)
  assert.equal(pass(2.5), 'nothing: on-air-none')
  assert.equal(pass(0.5), '1: on-air-backup 1')
})

test('when the present input is silent for as long as the rule says, the next that carries takes over', () => {
  const { carry, pass } = bench(4)
  carry(0, 2, 3)
  pass(10)
  carry(2, 3)
  assert.equal(pass(2.5), '0: on-air-first')
  assert.equal(pass(0.5), '2: on-air-backup 2')
  carry(1, 3)
  assert.equal(pass(3), '3: on-air-backup 3')
  // After the last comes the first again.
  carry(1)
  assert.equal(pass(3), '1: on-air-backup 1')
})

test('a pause that is shorter than the rule says changes nothing', () => {
  const { carry, pass } = bench(2)
  carry(0, 1)
  pass(5)
  carry(1)
  pass(2)
  carry(0, 1)
  assert.equal(pass(5), '0: on-air-first')
})

test('it goes back to the first when that has carried long enough without a break', () => {
  const { carry, pass } = bench(2)
  carry(1)
  pass(5)
  carry(0, 1)
  assert.equal(pass(29.5), '1: on-air-backup 1')
  carry(1)
  pass(4)
  carry(0, 1)
  assert.equal(pass(30), '1: on-air-backup 1')
  assert.equal(pass(0.5), '0: on-air-back')
})

test('with a rule that never goes back, the first is taken again only when the backup fails', () => {
  const { carry, pass } = bench(2, { ...RULE, back: 'never' })
  carry(1)
  pass(5)
  carry(0, 1)
  assert.equal(pass(600), '1: on-air-backup 1')
  carry(0)
  assert.equal(pass(3), '0: on-air-first')
})

test('while nothing carries, what was on air stays, and is so again without a switch', () => {
  const { carry, pass } = bench(2)
  carry(0)
  pass(5)
  carry()
  assert.equal(pass(60), '0: on-air-none')
  carry(0)
  assert.equal(pass(0.5), '0: on-air-first')
})

test('with a slate it is on air while nothing carries, and gives way to whatever carries', () => {
  const { carry, pass } = bench(2, RULE, true)
  assert.equal(pass(2.5), 'nothing: on-air-none')
  assert.equal(pass(0.5), 'slate: on-air-slate')
  carry(1)
  assert.equal(pass(0.5), '1: on-air-backup 1')
  carry()
  assert.equal(pass(3), 'slate: on-air-slate')
  carry(0, 1)
  assert.equal(pass(0.5), '0: on-air-first')
})

test('a first input that is another one than before is taken as soon as it carries', () => {
  const before: Choice = { place: 1, slate: false, why: 'on-air-backup 1' }
  const alive: Candidate = { last: 9900, since: 9900 }
  const rule: SwitchRule = { ...RULE, back: 'never' }
  const circumstance = { now: 10_000, began: 0, rule, slate: false }
  assert.equal(choose(before, [alive, alive], circumstance).place, 1)
  const chosen = choose(before, [alive, alive], { ...circumstance, fresh: true })
  assert.deepEqual(chosen, { place: 0, slate: false, why: 'on-air-first' })
})

test('a backup that is no longer among the inputs gives way', () => {
  const choice: Choice = { place: undefined, slate: false, why: 'on-air-none' }
  const alive: Candidate = { last: 9900, since: 0 }
  assert.equal(choose(choice, [alive], { now: 10_000, began: 0, rule: RULE, slate: false }).place, 0)
})

test.run()
