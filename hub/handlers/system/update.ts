// Handlers for updates of the console and of the whole hub.

import { IN_PROGRESS, WRONG_STATE } from '../../../contract/codes.ts'
import {
  cancelUpdate,
  checkUpdate,
  confirmUpdate,
  ONLINE_RELEASES_MAX,
  type OnlineStatus,
  restartStreams,
  revertUpdate,
  setUpdate,
  startUpdate,
  updateStatus,
  uploadUpdate
} from '../../../contract/update.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Interruption } from '../../channels/off-air.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import {
  CallError,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  interrupting,
  requireCaller
} from '../../http/handler.ts'
import { eventText } from '../../messages/events.ts'
import type { Language } from '../../messages/language.ts'
import { onlineFaultLines } from '../../messages/online.ts'
import { describeConsole, describeRelease, rollbackText } from '../../messages/updates.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'
import type { OnlineUpgrade } from '../../upgrade/online-upgrade.ts'
import type { ReleaseUpgrade } from '../../upgrade/release-upgrade.ts'
import type { SwitchOver } from '../../upgrade/switch-over.ts'

/** Characters of a file name in the log. */
const NAME_MAX = 200

/** Throws a CallError for a rejected update, and any other error as it is. */
function rethrow(error: unknown): never {
  throw error instanceof UploadRefused ? new CallError(error.code, error.extra) : error
}

interface UpdateParts {
  gate: Gate
  consoleUpdater: ConsoleUpdater
  releases: ReleaseUpgrade
  onlineUpgrade: OnlineUpgrade
  switchOver: SwitchOver
  engine: EngineClient
}

/** The engine is restarted. */
const ALL_RESTART: Interruption = { kind: 'all', effect: 'restarts' }

/** What the hub has found on the web server. */
function describeOnline(
  online: OnlineUpgrade,
  language: Language,
  start: number,
  count: number
): Partial<OnlineStatus> {
  const { address, date, enable, preReleases } = online.settings
  const { fault } = online
  const [reason = '', nextStep] = fault ? onlineFaultLines(language, fault.fault, fault.details) : []
  const list = online.releases.slice(start, start + count).map((release) => ({
    id: release.sha256,
    version: release.version,
    ...(release['pre-release'] && { 'pre-release': true as const }),
    time: Date.parse(release.time),
    size: release.size,
    notes: release.notes[language === 'zh' ? 'zh' : 'en']
  }))
  return {
    address,
    date,
    'check-result': online.checkResult,
    enable: enable && address !== '',
    'enable-expr': preReleases,
    ...(fault && { fault: { reason, ...(nextStep && { 'next-step': nextStep }) } }),
    versions: { start, total: online.releases.length, list }
  }
}

/** Downloads a release, installs the uploaded console, or begins the trial of the uploaded release. */
function startHandler({ consoleUpdater, releases, onlineUpgrade }: UpdateParts): Handler {
  const handler = handlePreparedChange(
    startUpdate,
    async (_, { id, force = false }) =>
      releases.hasUploaded && !onlineUpgrade.find(id)
        ? releases.prepareInstallation(id, force).catch(rethrow)
        : undefined,
    (context, { id, force = false }, release) => {
      const online = onlineUpgrade.find(id)
      if (online) {
        context.detail = online.version
        attempt(() => consoleUpdater.requireIdle())
        attempt(() => onlineUpgrade.startDownload(online))
        return {}
      }
      context.detail = (release ?? attempt(() => consoleUpdater.install(id, force))).version
      if (release) context.afterCommit(() => releases.install())
      return {}
    }
  )
  return interrupting(startUpdate, handler, {
    find: () => (releases.interruptsStreams ? ALL_RESTART : undefined),
    isAlone: () => true
  })
}

function revertHandler({ consoleUpdater, releases }: UpdateParts): Handler {
  const handler = handlePreparedChange(
    revertUpdate,
    async (_, { release, force = false }) => (release ? releases.prepareRevert(force).catch(rethrow) : undefined),
    (context, _, release) => {
      context.detail = (release ?? attempt(() => consoleUpdater.revert())).version
      if (release) context.afterCommit(() => releases.revert())
      return {}
    }
  )
  return interrupting(revertUpdate, handler, {
    find: (_, { release }) => (release && releases.revertInterruptsStreams ? ALL_RESTART : undefined),
    isAlone: () => true
  })
}

function restartStreamsHandler({ releases, switchOver, engine }: UpdateParts): Handler {
  const handler = handleChange(restartStreams, (context) => {
    context.detail = releases.engineVersion() ?? ''
    if (releases.engineVersion() === undefined) throw new CallError(WRONG_STATE)
    if (engine.isSwitchingOver()) throw new CallError(IN_PROGRESS)
    context.afterCommit(() => switchOver.start())
    return {}
  })
  const interruption = (): Interruption => (engine.canSwitchOver() ? { kind: 'switch-over' } : ALL_RESTART)
  return interrupting(restartStreams, handler, {
    find: () => (releases.engineVersion() === undefined ? undefined : interruption()),
    isAlone: () => true
  })
}

/** Runs a step of an update, and throws a CallError if the step is rejected. */
function attempt<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    return rethrow(error)
  }
}

export function updateHandlers(parts: UpdateParts): Handler[] {
  const { consoleUpdater, releases, onlineUpgrade, switchOver, gate } = parts
  return [
    handle(updateStatus, (context, { start = 0, count = ONLINE_RELEASES_MAX }) => {
      const { language } = context
      const { consoles, releases: stored, 'online-status': status, ...rest } = consoleUpdater.status()
      const failed = releases.rollback()
      const isIncomplete = releases.engineVersion() !== undefined && switchOver.hasFailed
      return {
        ...rest,
        'online-status': { ...status, ...describeOnline(onlineUpgrade, language, start, count) },
        consoles: consoles.map((console) => describeConsole(language, console)),
        ...(stored && { releases: stored.map((release) => describeRelease(language, release)) }),
        ...(isIncomplete && { 'switch-over-fault': eventText(language, 'switch-over-failed', '') }),
        ...(failed && { rollback: { ...failed, reason: rollbackText(language, failed.check) } }),
        ...(gate.isAdmin(requireCaller(context)) && { 'trusted-keys': consoleUpdater.trustedKeys() })
      }
    }),
    handlePreparedChange(
      uploadUpdate,
      (context) => {
        const { body = null, headers } = context.body ?? {}
        const size = Number(headers?.get('content-length') ?? 0) || 0
        return readFormFile(body, headers?.get('content-type') ?? null, (name, fill) => {
          context.detail = name.replace(/\p{Cc}/gu, '').slice(-NAME_MAX)
          return consoleUpdater.upload(size, fill)
        }).catch(rethrow)
      },
      (context, _, uploaded) => {
        context.detail = uploaded.version
        return uploaded
      }
    ),
    startHandler(parts),
    handlePreparedChange(
      checkUpdate,
      () => onlineUpgrade.check().catch(rethrow),
      () => ({})
    ),
    handleChange(setUpdate, (context, { address, enable, 'enable-expr': preReleases }) => {
      context.detail = address ?? ''
      onlineUpgrade.set({ address, enable, preReleases })
      return {}
    }),
    handleChange(cancelUpdate, () => {
      attempt(() => consoleUpdater.cancel())
      return {}
    }),
    handleChange(confirmUpdate, (context, { script }) => {
      context.detail = attempt(() => consoleUpdater.confirm(script)).version
      return {}
    }),
    revertHandler(parts),
    restartStreamsHandler(parts)
  ]
}
