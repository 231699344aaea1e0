// The stored registration of the hub with a cloud. Key and invitation are stored encrypted, and in no export.
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Invitation, parseInvitation } from '../../contract/cloud/link.ts'
import { CloudSettingsRequest } from '../../contract/cloud-registration.schema.ts'
import { LINK_PORT } from '../../contract/limits.ts'
import type { Store } from '../store/store.ts'

/** Owner of the secrets, and of nothing else (`encryption.ts`). */
const SECRETS_OWNER = 'cloud'

export interface CloudSecrets {
  /** Key of the hub (`HubHello`). It is for one cloud: another one could pretend to be this hub with it. */
  key: string
  /** Secret part of the invitation. */
  code: string
}

/** A cloud in the environment of the hub. */
export interface CloudOption {
  /** Name or address, and the port if it is not 8070. */
  address: string
  invitation?: string | undefined
}

/** @throws Error if it is not valid */
export function parseCloudOption({ address, invitation }: CloudOption): CloudSettingsRequest {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(address) ?? []
  const request = { enable: true, host, ...(port && { port: Number(port) }), ...(invitation && { invitation }) }
  const { data, error } = CloudSettingsRequest.safeParse(request)
  if (data) return data
  const isInvitation = error.issues[0]?.path[0] === 'invitation'
  // The invitation is a secret.
  throw new Error(
    isInvitation
      ? 'INVITATION is not one of a cloud'
      : `CLOUD: ${address} is not an address like cloud.example.com:8070`
  )
}

export class CloudSettings {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  get stored() {
    return this.#store.settings.get('cloud')
  }

  /** Serial number of the hub; empty: it was never registered. */
  get serial(): string {
    return this.#store.settings.get('cloud-serial')
  }

  /** @returns undefined if there are none, or they cannot be read, because the key file of the hub is another one */
  secrets(): CloudSecrets | undefined {
    const { secrets } = this.stored
    const text = secrets && this.#store.encryption.decrypt(secrets, SECRETS_OWNER)
    return text ? JSON.parse(text) : undefined
  }

  /** The key with which the cloud signs assertions; undefined: none is pinned. */
  cloudKey(): KeyObject | undefined {
    const { 'signing-key': key } = this.stored
    return key ? createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' }) : undefined
  }

  /** Whether a request lacks the invitation: the stored one is not sent to another server. */
  needsInvitation({ host, port = LINK_PORT, invitation }: CloudSettingsRequest): boolean {
    const { stored } = this
    const isSameServer = host === stored.host && port === stored.port
    return host !== '' && invitation === undefined && !(isSameServer && this.secrets())
  }

  /** Stores the settings, in the transaction of the caller. @param request has the invitation if it is needed */
  set({ enable, host, port = LINK_PORT, invitation: text, role }: CloudSettingsRequest): void {
    const { stored } = this
    const { settings } = this.#store
    const invitation = text === undefined ? undefined : parseInvitation(text)
    const organisation = host ? (invitation?.organisation ?? stored.organisation) : ''
    const isSame = host === stored.host && port === stored.port && organisation === stored.organisation
    settings.set('cloud', {
      ...{ enable, host, port, organisation },
      // What one cloud may do is not for another one.
      role: role ?? (isSame ? stored.role : 'view'),
      'signing-key': isSame ? stored['signing-key'] : '',
      secrets: host ? this.#encrypt(invitation, isSame) : ''
    })
    if (host && !this.serial) settings.set('cloud-serial', makeSerial())
  }

  #encrypt(invitation: Invitation | undefined, keepsKey: boolean): string {
    const known = this.secrets()
    const secrets: CloudSecrets = {
      key: (keepsKey && known?.key) || randomBytes(32).toString('hex'),
      code: invitation?.code ?? known?.code ?? ''
    }
    return this.#store.encryption.encrypt(JSON.stringify(secrets), SECRETS_OWNER)
  }
}

const makeSerial = () => `HUB-${randomBytes(6).toString('hex').toUpperCase()}`
