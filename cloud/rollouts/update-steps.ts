// Derives the step of a rollout from the state of a hub's own upgrade. Each step comes from a response of the hub, so
// another node can continue the rollout.
import type { Envelope } from '../../contract/call.ts'
import type { RolloutHubCause, RolloutStep } from '../../contract/cloud/rollout.ts'
import { type OnlineRelease, UPDATE_STATE, type UpdateStatus } from '../../contract/update.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'

export type HubStatus = UpdateStatus & Envelope

/** What to do next with a hub. */
export type NextAction =
  | { kind: 'wait'; step: RolloutStep; progress?: number }
  /** Download a release, or install the downloaded one. */
  | { kind: 'download' | 'install'; id: string }
  | { kind: 'done' }
  /** `isCertain`: the hub says it. Otherwise it may be between two steps, and is asked again. */
  | { kind: 'failed'; cause: RolloutHubCause; isCertain: boolean }

const WORKING =
  UPDATE_STATE.checking |
  UPDATE_STATE.checkingOnline |
  UPDATE_STATE.pulling |
  UPDATE_STATE.verifying |
  UPDATE_STATE.uploading |
  UPDATE_STATE.cancelling |
  UPDATE_STATE.restarting

const isWorking = ({ state }: HubStatus) => (state & WORKING) !== 0

const releaseInUse = ({ releases = [] }: HubStatus) =>
  releases.find(({ use }) => use === 'active' || use === 'trial')?.use

/** The uploaded or downloaded release with a version, which can be installed. */
const readyRelease = ({ releases = [] }: HubStatus, version: string) =>
  releases.find((release) => release.use === 'ready' && release.version === version)?.id

const listOffered = (status: HubStatus): readonly OnlineRelease[] => status['online-status'].versions?.list ?? []

const offeredRelease = (status: HubStatus, version: string) =>
  listOffered(status).find((release) => release.version === version)?.id

/** The versions to which a hub can be updated now. */
export function offeredVersions(status: HubStatus): OnlineRelease[] {
  return listOffered(status).filter(({ version }) => compareReleaseVersions(version, status.version) > 0)
}

/** Why a hub would be skipped, whatever the release. */
export function findObstacle(status: HubStatus): RolloutHubCause | undefined {
  // Only members of the Admin group get it: the role of the cloud on the hub may be too low.
  if (!status['trusted-keys']) return 'role'
  if (!status.releases) return 'no-releases'
  if (!status['enable-update']) return 'no-keys'
  // A check of the release server is no obstacle.
  if ((status.state & WORKING & ~UPDATE_STATE.checkingOnline) !== 0) return 'busy'
  return undefined
}

/** Why a hub is skipped. */
export function findRefusal(status: HubStatus, version: string): RolloutHubCause | undefined {
  const obstacle = findObstacle(status)
  if (obstacle) return obstacle
  const order = compareReleaseVersions(status.version, version)
  if (order >= 0) return order === 0 ? 'up-to-date' : 'newer'
  if (readyRelease(status, version) || offeredRelease(status, version)) return undefined
  return status['online-status'].address ? 'not-offered' : 'no-server'
}

/** @param step the step of the hub so far */
export function nextAction(step: RolloutStep, status: HubStatus, version: string): NextAction {
  // The list of releases is absent until the hub has asked its update service.
  if (status.version === version)
    return releaseInUse(status) === 'active' && !isWorking(status) ? { kind: 'done' } : { kind: 'wait', step: 'trial' }
  if (isWorking(status)) return wait(step, status)
  const ready = readyRelease(status, version)
  if (step === 'starting' || step === 'downloading') {
    if (ready) return { kind: 'install', id: ready }
    const offered = offeredRelease(status, version)
    if (step === 'downloading') return { kind: 'failed', cause: 'download', isCertain: hasFault(status) }
    return offered ? { kind: 'download', id: offered } : { kind: 'failed', cause: 'not-offered', isCertain: true }
  }
  if (status.rollback?.version === version) return { kind: 'failed', cause: 'rollback', isCertain: true }
  if (!ready) return { kind: 'failed', cause: 'rollback', isCertain: false }
  const hasFailed = (status.state & UPDATE_STATE.failed) !== 0
  return hasFailed ? { kind: 'failed', cause: 'install', isCertain: true } : { kind: 'install', id: ready }
}

function wait(step: RolloutStep, { state, progress }: HubStatus): NextAction {
  const isEnding = (state & UPDATE_STATE.restarting) !== 0
  if (isEnding || step === 'installing' || step === 'trial') return { kind: 'wait', step: 'installing' }
  return { kind: 'wait', step: 'downloading', progress }
}

const hasFault = (status: HubStatus) =>
  status['online-status'].fault !== undefined || (status.state & UPDATE_STATE.failed) !== 0

/** What a hub says about a failure, in the language of the request; empty: nothing. */
export function describeFailure(cause: RolloutHubCause, status: HubStatus): string {
  const { rollback, message = '', 'online-status': online } = status
  if (cause === 'rollback')
    return rollback ? [rollback.reason, ...(rollback.channels ?? [])].filter(Boolean).join('\n') : ''
  if (cause === 'download' && online.fault)
    return [online.fault.reason, online.fault['next-step']].filter(Boolean).join('\n')
  return message
}
