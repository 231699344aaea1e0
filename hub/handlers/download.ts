// Handlers of downloads by ticket (contract/file/download.ts).
import { addDownloadTicket, downloadFile } from '../../contract/file/download.ts'
import type { Downloads } from '../downloads/downloads.ts'
import { type Handler, handle, handlePreparedChange, requireCaller } from '../http/handler.ts'

export function downloadHandlers({ downloads }: { downloads: Downloads }): Handler[] {
  return [
    handlePreparedChange(
      addDownloadTicket,
      (context, request) => {
        context.detail = downloads.describe(request)
        return downloads.issue({ caller: requireCaller(context), language: context.language }, request)
      },
      (_context, _request, ticket) => ticket,
      // A log or a backup can also be saved while the disk is full or read-only.
      (_context, _request, ticket) => ticket
    ),
    handle(downloadFile, (context, { ticket }) => downloads.serve(ticket, context.range, context.caller))
  ]
}
