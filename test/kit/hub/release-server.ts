// For each test of a suite: a web server with releases of the hub, and a hub that runs from a release.
import type { Test } from 'uvu'
import type { ChannelRelease } from '../../../pack/channel-file.ts'
import { type StaticServer, startStaticServer } from '../net/static-server.ts'
import { until } from '../until.ts'
import { channelFiles, DAY, releaseOf } from './channel-files.ts'
import { developmentSigner } from './console-update.ts'
import { hub, replaceHub } from './hub-for-each.ts'
import { createReleaseUpdate, type ReleaseHub, startReleaseHub } from './release-hub.ts'

/** The update on the server, with a release of version 9.0.0. */
export const RELEASE_UPDATE = createReleaseUpdate('9.0.0')

/** The web server of the current test. */
export let server: StaticServer
/** What the hub of the current test runs from. */
export let installation: ReleaseHub

interface Publication {
  /** What is published of the release instead of its own facts. */
  change?: Partial<ChannelRelease>
  number?: number
  channel?: 'stable' | 'pre-release'
  /** Milliseconds since the epoch. Default: in a day. */
  expires?: number
}

/** Publishes the update, and other releases beside it. */
export function publishRelease({ change, ...content }: Publication = {}, ...others: ChannelRelease[]): void {
  server.files.set('/9.0.0.update', RELEASE_UPDATE)
  const facts = { version: '9.0.0', architecture: process.arch, file: '9.0.0.update', ...change }
  const releases = [releaseOf(RELEASE_UPDATE, facts), ...others]
  const options = { number: 1, expires: Date.now() + DAY, ...content }
  for (const [path, bytes] of channelFiles(developmentSigner(), releases, options)) server.files.set(path, bytes)
}

/** Starts the server, and replaces the hub of `hubForEach`, which the suite has called before. */
export function releaseServerForEach(test: Pick<Test, 'before' | 'after'>): void {
  test.before.each(async () => {
    server = await startStaticServer()
    installation = await startReleaseHub()
    await replaceHub(installation.options)
    await until(() => hub.parts.releases.isPossible, 'the hub knows its release')
  })
  test.after.each(async () => {
    await server.close()
    await installation.close()
  })
}
