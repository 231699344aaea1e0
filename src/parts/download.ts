// Downloads of the hub's files by ticket: the link of a file is valid for some minutes, so it is made when the user
// asks for the file.
import type { Envelope } from '../../contract/call.ts'
import { REAUTHENTICATION_REQUIRED, SUCCESS } from '../../contract/codes.ts'
import { addDownloadTicket, type DownloadRequest, downloadFile } from '../../contract/file/download.ts'
import { send } from '../link/send.ts'
import { confirmAndRetry, type FailureOptions } from '../state/mutations.ts'
import { downloadUrl } from '../state/system.ts'
import { notify } from '../state/toasts.ts'

/**
 * Starts a download, which the browser then shows. A refusal is shown as a toast. @returns the response for the ticket
 */
export async function startDownload(
  request: DownloadRequest,
  { isShownElsewhere }: FailureOptions = {}
): Promise<Envelope> {
  const response = await confirmAndRetry(() => send(addDownloadTicket, request))
  const { result, ticket } = response
  if (result !== SUCCESS) {
    // The user did not enter the password.
    if (result !== REAUTHENTICATION_REQUIRED && !isShownElsewhere?.(response)) notify(response)
    return response
  }
  const link = document.createElement('a')
  link.href = downloadUrl(downloadFile, { ticket })
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
  return response
}
