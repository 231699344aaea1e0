// Where the hub itself listens: what has to be typed at the other end.
import { useEffect, useState } from 'react'
import type { Output } from '../../contract/stream/source.ts'
import { listAddresses } from '../../contract/system.ts'
import { send } from '../link/send.ts'
import { type Pair, t } from '../text/language.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import * as UI from '../ui/text.ts'
import { Copied } from './copy-line.tsx'

const TEXT = {
  title: ['URL for the other end', '对端 URL']
} as const satisfies Record<string, Pair>

const LISTENS = /^(?=\/)|(?<=^\w+:\/\/)(?:0\.0\.0\.0)?(?=:)/

/** Whether the hub waits at an address for others, rather than going there. */
export const listens = (address: string): boolean => LISTENS.test(address)

/** An address as others have to call it. @param host where the hub is; as a rule where the console came from */
export const atHub = (address: string, host = location.hostname): string =>
  address
    .replace(LISTENS, address[0] === '/' ? location.origin.replace(location.hostname, host) : host)
    .replace('mode=listener', 'mode=caller')

/** Where an output is had, with its key as far as the user may know it. */
export const keyedAddress = ({ addr, config }: Output): string =>
  'key' in config && config.key
    ? addr.replace('****', config.key)
    : 'stream-id' in config && config['stream-id']
      ? `${addr}?streamid=${encodeURIComponent(config['stream-id'])}`
      : addr

interface ConnectDialogProps {
  /** The address with its secrets, as far as the user may know them: they are copied and not shown. */
  address: string
  /** The same without. */
  masked: string
  onClose: () => void
}

export function ConnectDialog({ address, masked, onClose }: ConnectDialogProps) {
  const [others, setOthers] = useState<readonly string[]>([])
  useEffect(() => {
    void send(listAddresses, {}).then(({ addresses = [] }) => setOthers(addresses.map((one) => one.address)))
  }, [])
  return (
    <Dialog title={t(TEXT.title)} cancel={t(UI.close)} onClose={onClose}>
      {[...new Set([location.hostname, ...others])].map((host) => (
        <Copied key={host} text={atHub(address, host)} shown={atHub(masked, host)} scanned />
      ))}
    </Dialog>
  )
}
