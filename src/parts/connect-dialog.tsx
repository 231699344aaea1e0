// Addresses on which the hub listens, in the form that the user enters at the remote device or program.
import { useEffect, useState } from 'react'
import type { Output } from '../../contract/stream/source.ts'
import { listAddresses } from '../../contract/system.ts'
import { send } from '../link/send.ts'
import { type Translation, t } from '../text/language.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import * as UI from '../ui/text.ts'
import { CopyLine } from './copy-line.tsx'

const TEXT = {
  title: ['URL for the remote end', '对端 URL']
} as const satisfies Record<string, Translation>

const LISTEN_ADDRESS = /^(?=\/)|(?<=^\w+:\/\/)(?:0\.0\.0\.0)?(?=:)/

/** Whether the hub listens on an address, instead of connecting to it. */
export const isListenAddress = (address: string): boolean => LISTEN_ADDRESS.test(address)

/** Rewrites a listen address for the remote end. @param host host name of the hub; default: the host of this page */
export const reachableAddress = (address: string, host = location.hostname): string =>
  address
    .replace(LISTEN_ADDRESS, address[0] === '/' ? location.origin.replace(location.hostname, host) : host)
    .replace('mode=listener', 'mode=caller')

/** The address of an output, with its stream key or stream ID if the hub sends it to this user. */
export const addressWithKey = ({ addr, config }: Output): string =>
  'key' in config && config.key
    ? addr.replace('****', config.key)
    : 'stream-id' in config && config['stream-id']
      ? `${addr}?streamid=${encodeURIComponent(config['stream-id'])}`
      : addr

interface ConnectDialogProps {
  /** Copied to the clipboard: the address with the secrets that the hub sends to this user. */
  address: string
  /** Shown: the address with its secrets masked. */
  maskedAddress: string
  onClose: () => void
}

export function ConnectDialog({ address, maskedAddress, onClose }: ConnectDialogProps) {
  const [hosts, setHosts] = useState<readonly string[]>([])
  useEffect(() => {
    void send(listAddresses, {}).then(({ addresses = [] }) => setHosts(addresses.map((entry) => entry.address)))
  }, [])
  return (
    <Dialog title={t(TEXT.title)} cancelLabel={t(UI.close)} onClose={onClose}>
      {[...new Set([location.hostname, ...hosts])].map((host) => (
        <CopyLine
          key={host}
          text={reachableAddress(address, host)}
          displayText={reachableAddress(maskedAddress, host)}
          qrCode
        />
      ))}
    </Dialog>
  )
}
