import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { SwitchRule } from '../../../contract/stream/channel.ts'
import {
  type Candidate,
  type Choice,
  chooseInput,
  describeReturn,
  type Hold,
  INITIAL_CHOICE,
  isHeld,
  OperatorHold
} from '../../../engine/inputs/switch-rule.ts'

const test = suite('switch rule')

const RULE: SwitchRule = { 'after-s': 3, back: 'first', 'back-after-s': 30 }

/** Simulates inputs that carry or are silent, with a clock that the test advances. */
function simulate(count: number, rule = RULE, slate = false) {
  const inputs: Candidate[] = Array.from({ length: count }, () => ({ lastActiveAt: undefined, activeSince: 0 }))
  const carrying = new Set<number>()
  let now = 0
  let choice: Choice = INITIAL_CHOICE
  let hold: Hold | undefined
  return {
    /** Sets the indices of the inputs that carry. */
    carry: (...indices: number[]) => {
      carrying.clear()
      for (const index of indices) carrying.add(index)
    },
    /** An operator puts an input on air, or returns to the rule. */
    hold: (next?: Hold) => {
      hold = next
    },
    isHeld: () => isHeld(choice),
    /** Whether the first input is back, and in how many seconds it returns. */
    back: () => describeReturn(choice, inputs, { now, rule }),
    /** Advances the clock. @returns the index of the input on air, and the reason */
    pass(seconds: number): string {
      for (let step = 0; step < seconds * 2; step++) {
        now += 500
        for (const [index, input] of inputs.entries()) {
          if (!carrying.has(index)) continue
          if (input.lastActiveAt === undefined || now - input.lastActiveAt >= rule['after-s'] * 1000)
            input.activeSince = now
          input.lastActiveAt = now
        }
        choice = chooseInput(choice, inputs, { now, startedAt: 0, rule, slate, hold })
      }
      return `${choice.slate ? 'slate' : (choice.index ?? 'nothing')}: ${choice.reason}`
    }
  }
}

test('the first input is on air as soon as it carries', () => {
  const { carry, pass } = simulate(2)
  assert.equal(pass(1), 'nothing: on-air-none')
  carry(0, 1)
  assert.equal(pass(0.5), '0: on-air-first')
})

test('a backup waits until the time for the first input is over, and then takes over', () => {
  const { carry, pass } = simulate(2)
  carry(1)
  assert.equal(pass(2.5), 'nothing: on-air-none')
  assert.equal(pass(0.5), '1: on-air-backup 1')
})

test('when the input on air is silent for the time of the rule, the next one that carries takes over', () => {
  const { carry, pass } = simulate(4)
  carry(0, 2, 3)
  pass(10)
  carry(2, 3)
  assert.equal(pass(2.5), '0: on-air-first')
  assert.equal(pass(0.5), '2: on-air-backup 2')
  carry(1, 3)
  assert.equal(pass(3), '3: on-air-backup 3')
  // The order continues with the first input after the last one.
  carry(1)
  assert.equal(pass(3), '1: on-air-backup 1')
})

test('a pause shorter than the time of the rule causes no switch', () => {
  const { carry, pass } = simulate(2)
  carry(0, 1)
  pass(5)
  carry(1)
  pass(2)
  carry(0, 1)
  assert.equal(pass(5), '0: on-air-first')
})

test('it switches back to the first input after that has carried long enough without a pause', () => {
  const { carry, pass } = simulate(2)
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

test('while a backup is on air, it is known that the first input is back and when it returns', () => {
  const { carry, pass, back } = simulate(2)
  carry(0, 1)
  pass(1)
  assert.deepEqual(back(), {})
  carry(1)
  pass(5)
  assert.deepEqual(back(), {})
  carry(0, 1)
  pass(10)
  assert.deepEqual(back(), { isFirstBack: true, returnsInS: 21 })
  pass(21)
  assert.deepEqual(back(), {})
  const never = simulate(2, { ...RULE, back: 'never' })
  never.carry(1)
  never.pass(5)
  never.carry(0, 1)
  never.pass(1)
  assert.deepEqual(never.back(), { isFirstBack: true })
})

test('with a rule that never switches back, the first input returns only when the backup fails', () => {
  const { carry, pass } = simulate(2, { ...RULE, back: 'never' })
  carry(1)
  pass(5)
  carry(0, 1)
  assert.equal(pass(600), '1: on-air-backup 1')
  carry(0)
  assert.equal(pass(3), '0: on-air-first')
})

test('while no input carries data, the last input stays on air and continues without a switch', () => {
  const { carry, pass } = simulate(2)
  carry(0)
  pass(5)
  carry()
  assert.equal(pass(60), '0: on-air-none')
  carry(0)
  assert.equal(pass(0.5), '0: on-air-first')
})

test('the slate is on air while nothing carries, and any input that carries replaces it', () => {
  const { carry, pass } = simulate(2, RULE, true)
  assert.equal(pass(2.5), 'nothing: on-air-none')
  assert.equal(pass(0.5), 'slate: on-air-slate')
  carry(1)
  assert.equal(pass(0.5), '1: on-air-backup 1')
  carry()
  assert.equal(pass(3), 'slate: on-air-slate')
  carry(0, 1)
  assert.equal(pass(0.5), '0: on-air-first')
})

test('a replaced first input is chosen as soon as it carries', () => {
  const before: Choice = { index: 1, slate: false, reason: 'on-air-backup 1' }
  const active: Candidate = { lastActiveAt: 9900, activeSince: 9900 }
  const rule: SwitchRule = { ...RULE, back: 'never' }
  const context = { now: 10_000, startedAt: 0, rule, slate: false }
  assert.equal(chooseInput(before, [active, active], context).index, 1)
  const chosen = chooseInput(before, [active, active], { ...context, firstReplaced: true })
  assert.deepEqual(chosen, { index: 0, slate: false, reason: 'on-air-first' })
})

test('a removed backup is replaced by an input that carries', () => {
  const choice: Choice = { index: undefined, slate: false, reason: 'on-air-none' }
  const active: Candidate = { lastActiveAt: 9900, activeSince: 0 }
  assert.equal(chooseInput(choice, [active], { now: 10_000, startedAt: 0, rule: RULE, slate: false }).index, 0)
})

test('an input that an operator has chosen stays on air although the first one has media', () => {
  const { carry, pass, hold, isHeld } = simulate(3)
  carry(0, 1, 2)
  assert.equal(pass(5), '0: on-air-first')
  hold(2)
  assert.equal(pass(0.5), '2: on-air-held-backup 2')
  assert.equal(pass(120), '2: on-air-held-backup 2')
  assert.ok(isHeld())
  hold()
  assert.equal(pass(0.5), '0: on-air-back')
  assert.equal(isHeld(), false)
})

test('an input that an operator has chosen and that loses its media is replaced by the rule', () => {
  const { carry, pass, hold } = simulate(3)
  carry(0, 1, 2)
  pass(5)
  hold(1)
  assert.equal(pass(1), '1: on-air-held-backup 1')
  carry(0, 2)
  assert.equal(pass(2.5), '1: on-air-held-backup 1')
  assert.equal(pass(0.5), '2: on-air-backup 2')
})

test('the first input that an operator has chosen is on air at once, without the time for the return', () => {
  const { carry, pass, hold, isHeld } = simulate(2)
  carry(1)
  assert.equal(pass(5), '1: on-air-backup 1')
  carry(0, 1)
  assert.equal(pass(5), '1: on-air-backup 1')
  hold(0)
  assert.equal(pass(0.5), '0: on-air-held-first')
  hold()
  assert.equal(pass(5), '0: on-air-held-first')
  assert.equal(isHeld(), false)
})

test('the slate that an operator has chosen stays on air while inputs have media', () => {
  const { carry, pass, hold } = simulate(2, RULE, true)
  carry(0, 1)
  pass(5)
  hold('slate')
  assert.equal(pass(60), 'slate: on-air-held-slate')
  hold()
  assert.equal(pass(0.5), '0: on-air-first')
})

test('an input that has lost a track is replaced only by one that has every kind of track', () => {
  const rule = RULE
  const active = { lastActiveAt: 10_000, activeSince: 0 }
  const complete: Candidate = { ...active, tracks: { live: ['video', 'audio'], missing: [] } }
  const silent: Candidate = { ...active, tracks: { live: ['video'], missing: ['audio'] } }
  const soundOnly: Candidate = { ...active, tracks: { live: ['audio'], missing: [] } }
  const onFirst: Choice = { index: 0, slate: false, reason: 'on-air-first' }
  const context = { now: 10_000, startedAt: 0, rule, slate: true }
  const choose = (...candidates: Candidate[]) => chooseInput(onFirst, candidates, context)
  assert.equal(choose(silent, soundOnly, silent), onFirst)
  assert.deepEqual(choose(silent, soundOnly, complete), { index: 2, slate: false, reason: 'on-air-no-audio 2' })
  assert.equal(choose({ ...active }, complete), onFirst, 'the channel does not switch for tracks')
  assert.deepEqual(describeReturn({ ...onFirst, index: 1 }, [silent, complete], context), {})
  assert.equal(chooseInput({ ...onFirst, index: 1 }, [silent, complete], context).index, 1)
})

test('after a start, the choice of an operator ends later for an input that has had no media than for one that has lost it', () => {
  const active: Candidate = { lastActiveAt: 3000, activeSince: 0 }
  const lost: Candidate = { lastActiveAt: 0, activeSince: 0 }
  const silent: Candidate = { lastActiveAt: undefined, activeSince: 0 }
  /** @returns the version of the choice that has ended */
  const endAt = (now: number, candidate?: Candidate, rule = RULE) => {
    const hold = new OperatorHold()
    hold.update({ input: 12, version: 7 })
    const candidates = [{ ...active, lastActiveAt: now }, ...(candidate ? [candidate] : [])]
    const chosen = hold.find(candidates.map((_, index) => 11 + index))
    return hold.endIfLost(candidates, { now, startedAt: 0, rule, slate: false, hold: chosen })
  }
  assert.equal(endAt(2999, lost), undefined)
  assert.equal(endAt(3000, lost), 7)
  assert.equal(endAt(3000), 7, 'the channel does not have the input')
  assert.equal(endAt(29_999, silent), undefined)
  assert.equal(endAt(30_000, silent), 7)
  assert.equal(endAt(59_999, silent, { ...RULE, 'after-s': 60 }), undefined)
})

test.run()
