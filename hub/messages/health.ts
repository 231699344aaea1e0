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
 * First line why, second line what to do. Undefined if the engine says no more than the codes of the verdict.
 * @param culprits without those that the caller may not see
 */
export function healthMessage(language: Language, verdict: Verdict, culprits: readonly Culprit[]): string | undefined {
  const details = culprits.flatMap((culprit) => culpritText(language, culprit))
  const [first] = culprits
  if (details.length === 0 || !first) return undefined
  const own = OWN_CAUSES.includes(verdict.reason) ? causeSentences(verdict) : []
  const causes = own.map(([sentence, values]) => translate(language, sentence, values))
  const step = verdict['next-step'] && translate(language, NEXT_STEP_SENTENCES[verdict['next-step']])
  const why = [...causes, ...details].join(language === 'zh' ? '' : ' ')
  const todo = nextStep(language, first.failure) ?? step
  return todo ? `${why}\n${todo}` : why
}
