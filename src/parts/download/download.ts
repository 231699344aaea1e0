// Downloads of the hub's files by ticket: the link of a file is valid for some minutes, so it is made when the user asks for the file.
import { REAUTHENTICATION_REQUIRED, SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket, type DownloadRequest, downloadFile } from '../../../contract/file/download.ts'
import { send } from '../../link/send.ts'
import { confirmAndRetry } from '../../state/mutations.ts'
import { downloadUrl } from '../../state/system.ts'
import { notify } from '../../state/toasts.ts'

/** Starts a download, which the browser then shows. A refusal is shown as a toast. @returns whether it has started */
export async function startDownload(request: DownloadRequest): Promise<boolean> {
  const response = await confirmAndRetry(() => send(addDownloadTicket, request))
  const { result, ticket } = response
  if (result !== SUCCESS) {
    // The user did not enter the password.
    if (result !== REAUTHENTICATION_REQUIRED) notify(response)
    return false
  }
  const link = document.createElement('a')
  link.href = downloadUrl(downloadFile, { ticket })
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
  return true
}
