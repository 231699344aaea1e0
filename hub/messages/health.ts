// The hub's words for verdicts: the reason of the stream engine as a sentence, and the next step for it.
import type { HealthNumbers, HealthReason, NextStep } from '../../contract/health.ts'
import { causeSentences, NEXT_STEP_SENTENCES } from '../../contract/text/health-sentences.ts'
import { type Language, type Translation, translate } from './language.ts'
import { type LegState, nextStep } from './next-steps.ts'
import { reasonText } from './reasons.ts'

/** An input or output that explains a verdict. */
export interface Culprit {
  /** Set where the sentence has to tell several apart. */
  name?: string
  failure: LegState
}

interface Verdict extends HealthNumbers {
  reason?: HealthReason
  'next-step'?: NextStep
}

/** Causes of a channel that say more than the reason of one of its legs. */
const OWN_CAUSES: readonly (HealthReason | undefined)[] = [
  'no-input',
  'input-lost',
  'on-backup',
  'main-video-lost',
  'main-audio-lost',
  'main-no-signal',
  'main-bad-content',
  'main-back',
  'main-returns',
  'on-slate',
  'manual-backup',
  'manual-slate',
  'outputs-failed',
  'no-signal',
  'packet-loss',
  'discontinuities'
]

const NAMED: Translation = ['“{0}”: {1}', '“{0}”：{1}']

/**
 * A reason as a sentence: it begins with a capital letter, unless its first word is a name, and ends with a full stop.
 */
function toSentence(language: Language, text: string): string {
  const sentence = /^[a-z]+[ ,:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  if (/[.。!?]$/.test(sentence)) return sentence
  return sentence + (language === 'zh' ? '。' : '.')
}

/** A refused caller with its address. */
const FROM_ADDRESS: Translation = ['{0}, from {1}', '{0}（来自 {1}）']

function culpritText(language: Language, { name, failure: { reason, refusal } }: Culprit): string[] {
  if (!reason) return []
  const sentence = reasonText(language, reason)
  const text = refusal?.address ? translate(language, FROM_ADDRESS, [sentence, refusal.address]) : sentence
  return [toSentence(language, name === undefined ? text : translate(language, NAMED, [name, text]))]
}

/**
 * First line why, further lines what to do. Undefined if the engine says no more than the codes of the verdict.
 * @param culprits without those that the caller may not see
 */
export function healthMessage(language: Language, verdict: Verdict, culprits: readonly Culprit[]): string | undefined {
  const details = culprits.flatMap((culprit) => culpritText(language, culprit))
  if (details.length === 0) return undefined
  const own = OWN_CAUSES.includes(verdict.reason) ? causeSentences(verdict) : []
  const causes = own.map(([sentence, values]) => translate(language, sentence, values))
  const step = verdict['next-step'] && translate(language, NEXT_STEP_SENTENCES[verdict['next-step']])
  const why = [...causes, ...details].join(language === 'zh' ? '' : ' ')
  return [why, ...nextSteps(language, culprits, step)].join('\n')
}

/**
 * What to do: one line for all legs if it is the same, otherwise one for each, with its name.
 * @param step for legs whose reason tells no step
 */
function nextSteps(language: Language, culprits: readonly Culprit[], step: string | undefined): string[] {
  const steps = culprits.flatMap(({ name, failure }) => {
    const text = nextStep(language, failure) ?? (failure.reason && step)
    return text === undefined ? [] : [{ name, text }]
  })
  const [first] = steps
  if (!first) return step === undefined ? [] : [step]
  if (steps.every(({ text }) => text === first.text)) return [first.text]
  return steps.map(({ name, text }) => (name === undefined ? text : translate(language, NAMED, [name, text])))
}
