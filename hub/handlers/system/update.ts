// Handlers for updates of the console.
import {
  cancelUpdate,
  confirmUpdate,
  revertUpdate,
  startUpdate,
  updateStatus,
  uploadUpdate
} from '../../../contract/update.ts'
import type { Gate } from '../../auth/gate.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import {
  CallError,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import { describeConsole } from '../../messages/updates.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'

/** Characters of a file name in the log. */
const NAME_MAX = 200

/** Throws a CallError for a rejected update, and any other error as it is. */
function rethrow(error: unknown): never {
  throw error instanceof UploadRefused ? new CallError(error.code, error.extra) : error
}

export function updateHandlers({ consoleUpdater, gate }: { gate: Gate; consoleUpdater: ConsoleUpdater }): Handler[] {
  /** Runs a step of an update, and throws a CallError if the step is rejected. */
  function attempt<T>(step: () => T): T {
    try {
      return step()
    } catch (error) {
      return rethrow(error)
    }
  }

  return [
    handle(updateStatus, (context) => {
      const { consoles, ...status } = consoleUpdater.status()
      return {
        ...status,
        consoles: consoles.map((stored) => describeConsole(context.language, stored)),
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
    handleChange(startUpdate, (context, { id, force = false }) => {
      context.detail = attempt(() => consoleUpdater.install(id, force)).version
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
    handleChange(revertUpdate, (context) => {
      context.detail = attempt(() => consoleUpdater.revert()).version
      return {}
    })
  ]
}
