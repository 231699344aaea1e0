// Words of a problem of any hub, and the page of the hub's console on which it is mended.
import type { CloudProblem } from '../../../contract/cloud/calls.ts'
import type { Problem } from '../../../contract/problem.ts'
import { problemLabel, problemName } from '../../parts/problem/describe-problem.ts'
import { channelLink, linkTo } from '../../paths.ts'
import { type HealthLabel, healthLabel, healthSentence } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { TEXT as HUB_TEXT } from '../hub/text.ts'
import { TEXT } from './text.ts'

/** A problem that a hub has reported, and not the cloud. */
const isOfHub = (problem: CloudProblem): problem is CloudProblem & Problem => problem.kind !== 'hub'

export const nameOf = (problem: CloudProblem): string => (isOfHub(problem) ? problemName(problem) : problem['hub-name'])

export function labelOf(problem: CloudProblem): HealthLabel {
  if (isOfHub(problem)) return problemLabel(problem)
  return problem.severity === 'bad'
    ? healthLabel({ verdict: 'offline' })
    : { ...healthLabel({ verdict: 'warning' }), text: t(HUB_TEXT.noData) }
}

export function sentenceOf(problem: CloudProblem): { why: string; todo: string } {
  if (isOfHub(problem)) return healthSentence(problem)
  return problem.severity === 'bad'
    ? { why: t(TEXT.offline), todo: t(TEXT.offlineStep) }
    : { why: t(HUB_TEXT.silent), todo: t(TEXT.silentStep) }
}

/** The page of the hub's console about the object of a problem. */
export function pageOf({ kind, channel, sn }: CloudProblem): string {
  if (kind === 'hub') return ''
  if (channel !== undefined) return channelLink(channel)
  return sn === undefined ? linkTo('problems') : linkTo('deviceDetail', { sn, catalog: '0' })
}
