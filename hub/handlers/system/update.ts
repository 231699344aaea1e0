// Handlers for updates of the console and of the whole hub.

import { WRONG_STATE } from '../../../contract/codes.ts'
import {
  cancelUpdate,
  confirmUpdate,
  restartStreams,
  revertUpdate,
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
import { describeConsole, describeRelease, rollbackText } from '../../messages/updates.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'
import type { ReleaseUpgrade } from '../../upgrade/release-upgrade.ts'

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
  engine: EngineClient
}

/** The engine is restarted. */
const ALL_RESTART: Interruption = { kind: 'all', effect: 'restarts' }

/** Installs the uploaded console, or begins the trial of the uploaded release. */
function startHandler({ consoleUpdater, releases }: UpdateParts): Handler {
  const handler = handlePreparedChange(
    startUpdate,
    async (_, { id, force = false }) =>
      releases.hasUploaded ? releases.prepareInstallation(id, force).catch(rethrow) : undefined,
    (context, { id, force = false }, release) => {
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

function restartStreamsHandler({ releases, engine }: UpdateParts): Handler {
  const handler = handleChange(restartStreams, (context) => {
    context.detail = releases.engineVersion() ?? ''
    if (releases.engineVersion() === undefined) throw new CallError(WRONG_STATE)
    context.afterCommit(() => engine.restart())
    return {}
  })
  return interrupting(restartStreams, handler, {
    find: () => (releases.engineVersion() === undefined ? undefined : ALL_RESTART),
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
  const { consoleUpdater, releases, gate } = parts
  return [
    handle(updateStatus, (context) => {
      const { language } = context
      const { consoles, releases: stored, ...status } = consoleUpdater.status()
      const failed = releases.rollback()
      return {
        ...status,
        consoles: consoles.map((console) => describeConsole(language, console)),
        ...(stored && { releases: stored.map((release) => describeRelease(language, release)) }),
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
