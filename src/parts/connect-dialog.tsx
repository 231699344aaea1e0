// Addresses on which the hub listens, in the form that the user enters at the remote device or program.
import { Fragment, useEffect, useState } from 'react'
import { urlHost } from '../../contract/ipv6.ts'
import type { Output } from '../../contract/stream/source.ts'
import { listAddresses } from '../../contract/system.ts'
import { send } from '../link/send.ts'
import { filesOrigin } from '../state/system.ts'
import { type Translation, t } from '../text/language.ts'
import { Dialog } from '../ui/dialog/dialog.tsx'
import * as UI from '../ui/text.ts'
import { CopyLine } from './copy-line.tsx'
import { SUB_STREAM } from './source/sub-stream.ts'

const TEXT = {
  title: ['URL for the remote end', '对端 URL']
} as const satisfies Record<string, Translation>

const LISTEN_ADDRESS = /^(?=\/)|(?<=^\w+:\/\/)(?:0\.0\.0\.0)?(?=:)/

/** Whether the hub listens on an address, instead of connecting to it. */
export const isListenAddress = (address: string): boolean => LISTEN_ADDRESS.test(address)

/** Rewrites a listen address for the remote end. @param host host name of the hub; default: the host of this page */
export const reachableAddress = (address: string, host = location.hostname): string =>
  address.replace(LISTEN_ADDRESS, address[0] === '/' ? filesOrigin(host) : host).replace('mode=listener', 'mode=caller')

const withKey = (address: string, key: string): string => address.replace('****', () => encodeURIComponent(key))

/** The address of an output, with its stream key or stream ID if the hub sends it to this user. */
export const addressWithKey = ({ addr, config }: Output): string =>
  'key' in config && config.key
    ? withKey(addr, config.key)
    : 'stream-id' in config && config['stream-id']
      ? `${addr}?streamid=${encodeURIComponent(config['stream-id'])}`
      : addr

/** The address of the sub stream of an output, as `addressWithKey`; undefined if it has none. */
export const subStreamAddress = ({ addr, config }: Output): string | undefined =>
  'is-sub' in config && config['is-sub'] ? withKey(addr, config['sub-key'] ?? '****') : undefined

interface ConnectDialogProps {
  /** Copied to the clipboard: the address with the secrets that the hub sends to this user. */
  address: string
  /** Shown: the address with its secrets masked. */
  maskedAddress: string
  /** The address of the sub stream, if there is one. */
  subAddress?: string
  onClose: () => void
}

export function ConnectDialog({ address, maskedAddress, subAddress, onClose }: ConnectDialogProps) {
  const [hosts, setHosts] = useState<readonly string[]>([])
  useEffect(() => {
    void send(listAddresses, {}).then(({ addresses = [] }) =>
      setHosts(addresses.map((entry) => urlHost(entry.address)))
    )
  }, [])
  return (
    <Dialog title={t(TEXT.title)} cancelLabel={t(UI.close)} onClose={onClose}>
      {[address, subAddress].map(
        (text) =>
          text !== undefined && (
            <Fragment key={text}>
              {text === subAddress && <h3>{t(SUB_STREAM)}</h3>}
              {[...new Set([location.hostname, ...hosts])].map((host) => (
                <CopyLine
                  key={host}
                  text={reachableAddress(text, host)}
                  displayText={reachableAddress(maskedAddress, host)}
                  qrCode
                />
              ))}
            </Fragment>
          )
      )}
    </Dialog>
  )
}
