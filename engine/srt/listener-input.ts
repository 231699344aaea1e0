// An input that a sender pushes over SRT to its own port. The passphrase does not appear in the process list.
import { LATENCY_DEFAULT } from '../../contract/limits.ts'
import type { KeyLength } from '../../contract/stream/protocols.ts'
import type { SourceUrl } from '../../contract/stream/source-url.ts'
import { addressOfPeer } from '../access/ip-allow-list.ts'
import type { Failure } from '../interfaces/errors.ts'
import type { Launch, Process } from '../interfaces/launcher.ts'
import type { KeyChecks, Processes } from '../interfaces/leg-parts.ts'
import type { Relay } from '../interfaces/relay.ts'
import { feedAddress } from '../relay/relay-address.ts'
import { dedicatedPortKey, listenAddress, portFailure, refusalReason, streamIdName } from './dedicated-port.ts'
import { PUBLISHER_SILENCE } from './port-key.ts'
import { SrtPort } from './srt-port.ts'
import { createSrtStatsNotifier } from './srt-totals.ts'

/**
 * Listens for one sender, behind the interface of a process that ends when the sender disconnects.
 * @param program path of `headend-srt`
 * @param onFailure called before the end if the port cannot be opened
 */
export function listenForSrtSender(
  { srt, host, port: portNumber }: SourceUrl,
  program: string,
  { launcher, now, keyThrottle }: Processes & KeyChecks,
  launch: Launch,
  relay: Relay,
  onFailure: (failure: Failure) => void
): Process {
  const { latency = LATENCY_DEFAULT, streamId = '', passphrase = '' } = srt ?? {}
  const keyLength: KeyLength = passphrase ? (srt?.keyLength ?? 0) : 0
  let hasEnded = false
  let senderId: number | undefined
  let notifyStats: (() => void) | undefined
  const port = new SrtPort({
    launcher,
    now,
    keyThrottle,
    program,
    host: listenAddress(host),
    port: portNumber,
    keyLength,
    latency,
    onConnect(client) {
      // A sender that connects again replaces its silent connection.
      senderId = client.id
      notifyStats = createSrtStatsNotifier(client, launch.onSrtStats)
      port.link(client.id, feedAddress(relay))
    },
    onDisconnect({ id }) {
      if (id === senderId) end()
    },
    onRefusal(refusal) {
      const reason = refusalReason(refusal, (hash) => keyThrottle.isIssued(hash))
      if (reason && !hasEnded) launch.onRefusal?.(reason, addressOfPeer(refusal.peer))
    },
    onChange() {
      notifyStats?.()
      const failure = portFailure(port)
      if (!failure || hasEnded) return
      onFailure(failure)
      end()
    }
  })
  const key = {
    isPublisher: true,
    name: streamIdName(streamId),
    passphrase,
    keyLength,
    latency,
    maxClients: 1,
    replaceAfter: PUBLISHER_SILENCE,
    allowIp: []
  }
  port.setKeys([dedicatedPortKey(key)])

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    // Later, because the caller must have the process in order to stop it.
    queueMicrotask(() => launch.onEnd([]))
  }

  return {
    pid: undefined,
    stdin: undefined,
    stop() {
      hasEnded = true
      return port.close()
    }
  }
}
