import {
  cancelUpdate,
  confirmUpdate,
  revertUpdate,
  startUpdate,
  updateStatus,
  uploadUpdate
} from '../../../contract/update.ts'
import type { Hub } from '../../context.ts'
import { takeForm } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import { type Answer, answer, change, changeAfter, Refusal } from '../../http/handler.ts'
import { consoleInWords } from '../../messages/updates.ts'

/** Characters of a file's name in the log. */
const NAME_MAX = 200

/** A refused step is a refused call. */
function orRefused(error: unknown): never {
  throw error instanceof UploadRefused ? new Refusal(error.code, error.extra) : error
}

export function updateAnswers({ upgrade }: Hub): Answer[] {
  function attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      return orRefused(error)
    }
  }

  return [
    answer(updateStatus, ({ language }) => {
      const { consoles, ...status } = upgrade.status()
      return { ...status, consoles: consoles.map((held) => consoleInWords(language, held)) }
    }),
    changeAfter(
      uploadUpdate,
      (context) => {
        const { body = null, headers } = context.body ?? {}
        const size = Number(headers?.get('content-length') ?? 0) || 0
        return takeForm(body, headers?.get('content-type') ?? null, (name, fill) => {
          context.detail = name.replace(/\p{Cc}/gu, '').slice(-NAME_MAX)
          return upgrade.upload(size, fill)
        }).catch(orRefused)
      },
      (context, _, uploaded) => {
        context.detail = uploaded.version
        return uploaded
      }
    ),
    change(startUpdate, (context, { id, force = false }) => {
      context.detail = attempt(() => upgrade.install(id, force)).version
      return {}
    }),
    change(cancelUpdate, () => {
      attempt(() => upgrade.cancel())
      return {}
    }),
    change(confirmUpdate, (context, { script }) => {
      context.detail = attempt(() => upgrade.confirm(script)).version
      return {}
    }),
    change(revertUpdate, (context) => {
      context.detail = attempt(() => upgrade.revert()).version
      return {}
    })
  ]
}
