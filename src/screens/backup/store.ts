// Downloads of exports.
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket, type DownloadRequest } from '../../../contract/file/download.ts'
import { transport } from '../../link/fetch-json.ts'
import { send } from '../../link/send.ts'
import { mutate } from '../../state/mutations.ts'
import { TEXT } from './text.ts'

/** Gets a ticket for a file and lets the browser download it. */
export async function download(
  request: DownloadRequest,
  isShownElsewhere: (reply: Envelope) => boolean
): Promise<Envelope> {
  const reply = await mutate(() => send(addDownloadTicket, request), {
    isShownElsewhere: (response) => response.result === SUCCESS || isShownElsewhere(response),
    success: { text: TEXT.ready }
  })
  if (reply.result === SUCCESS) {
    const link = document.createElement('a')
    link.href = transport.base + reply.url
    link.download = ''
    link.click()
  }
  return reply
}
