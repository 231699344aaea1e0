// HLS files of an engine in this process, as the hub's web server fetches them.
import type { Engine } from '../../../engine/engine.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import { readHlsFile } from '../../../engine/server/media-requests.ts'

export const hlsFilesOf = (engine: Engine): Pick<EngineClient, 'fetchHls'> => ({
  async fetchHls(request) {
    const { status, bytes } = readHlsFile(engine, request)
    const headers: Record<string, string> = bytes ? { 'content-length': String(bytes.length) } : {}
    return new Response(bytes && request.method === 'GET' ? new Uint8Array(bytes) : null, { status, headers })
  }
})
