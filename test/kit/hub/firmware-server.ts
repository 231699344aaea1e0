// A web server with releases of firmware for the devices of `registerDevices`, and a key that the hub of a test trusts.
import { listOnlineFirmware, type OnlineFirmware } from '../../../contract/firmware.ts'
import { setSettings } from '../../../contract/settings.ts'
import type { ChannelRelease, ReleaseChannel } from '../../../pack/channel-file.ts'
import { type StaticServer, startStaticServer } from '../net/static-server.ts'
import { until } from '../until.ts'
import { channelFiles, DAY, releaseOf } from './channel-files.ts'
import { generateSigningKey } from './console-update.ts'
import { firmwareFile } from './firmware-upload.ts'
import type { Client } from './hub.ts'

export const publisher = generateSigningKey()

/** Options of a hub that trusts the publisher. */
export const TRUSTING = { firmware: { trusted: [publisher.publicKey] } }

export interface FirmwareServer extends StaticServer {
  /** Publishes versions, newest first, in one of the channel files. */
  publish(versions: string[], options?: Partial<Publication>): void
}

interface Publication {
  channel: ReleaseChannel
  number: number
  expires: number
  change: Partial<ChannelRelease>
}

export async function startFirmwareServer(): Promise<FirmwareServer> {
  const server = await startStaticServer()
  return Object.assign(server, {
    publish(versions: string[], { change, ...options }: Partial<Publication> = {}) {
      const releases = versions.map((version) => {
        const { name, bytes } = firmwareFile('encodeAio', version)
        server.files.set(`/firmware/${name}`, bytes)
        return releaseOf(bytes, {
          version,
          model: 'Ultra Encode AIO',
          hardware: 'A',
          file: `firmware/${name}`,
          ...change
        })
      })
      const content = { name: 'ultra_encode', expires: Date.now() + DAY, ...options }
      for (const [path, bytes] of channelFiles(publisher.signer, releases, content)) server.files.set(path, bytes)
    }
  })
}

/** Sets the address of the server. @returns the result */
export const setFirmwareServer = async (client: Client, address: string) =>
  (await client.send(setSettings, { 'firmware-server': { address } })).result

/** Waits until no download runs. @returns the release */
export async function downloadEnd(client: Client, version: string): Promise<OnlineFirmware> {
  return until<OnlineFirmware | undefined>(async () => {
    const { list } = await client.send(listOnlineFirmware, {})
    const release = list.find((each) => each.version === version)
    return release && ![1, 2, 4].includes(release.state) ? release : undefined
  }, `the download of ${version} has ended`)
}
