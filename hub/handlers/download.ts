// Handlers of downloads by ticket (contract/file/download.ts).
import { REAUTHENTICATION_REQUIRED } from '../../contract/codes.ts'
import { addDownloadTicket, downloadFile } from '../../contract/file/download.ts'
import type { HubContext } from '../context.ts'
import { CallError, type Handler, handle, handlePreparedChange, requireCaller } from '../http/handler.ts'

export function downloadHandlers({ downloads }: HubContext): Handler[] {
  return [
    handlePreparedChange(
      addDownloadTicket,
      async (context, request) => {
        context.detail = downloads.describe(request)
        try {
          return await downloads.issue({ caller: requireCaller(context), language: context.language }, request)
        } catch (error) {
          // The console asks for the password and repeats the call: nothing was refused for good.
          if (error instanceof CallError && error.code === REAUTHENTICATION_REQUIRED) context.isLogged = true
          throw error
        }
      },
      (_context, _request, ticket) => ticket,
      // A log or a backup can also be saved while the disk is full or read-only.
      (_context, _request, ticket) => ticket
    ),
    handle(downloadFile, (context, { ticket }) => downloads.serve(ticket, context.range, context.caller))
  ]
}
