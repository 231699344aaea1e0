// Addresses and logins of devices which the hub connects to. The login is stored encrypted.
import { RTMP_PORT } from '../../contract/limits.ts'
import type { Encryption } from '../../data-files/encryption.ts'
import type { Database } from '../database/database.ts'

/** Address, login and certificate of a device. */
export interface StoredDeviceAddress {
  /** IPv4 or IPv6 address, or domain. */
  address: string
  port: number
  https: boolean
  user: string
  password: string
  /** SHA-256 of the trusted certificate in hex; empty until the first connection over HTTPS. */
  cert: string
  /** Where a server plays its streams over RTMP, if it does not tell it itself; absent: the usual port. */
  rtmpPort?: number
}

interface AddressRow {
  device_id: number
  address: string
  port: number
  https: number
  secret: string
  cert: string
  rtmp_port: number
}

/** The owner of the encrypted login of a device. */
export const loginOwner = (id: number) => `device ${id}`

export function deviceAddresses(database: Database, encryption: Encryption) {
  function readRow({ device_id: id, secret, https, rtmp_port: rtmpPort, ...row }: AddressRow): StoredDeviceAddress {
    // If the login was encrypted with another key it is empty: the device refuses it, and the user has to enter it
    // again.
    const { user = '', password = '' } = JSON.parse(encryption.decrypt(secret, loginOwner(id)) ?? '{}')
    const { address, port, cert } = row
    return { address, port, https: https === 1, user, password, cert, rtmpPort }
  }

  const repository = {
    /** IDs of the devices that have an address. */
    ids: () => database.all<{ id: number }>('SELECT device_id AS id FROM device_address').map(({ id }) => id),
    has: (id: number): boolean => database.get('SELECT 1 FROM device_address WHERE device_id = ?', id) !== undefined,
    get(id: number): StoredDeviceAddress | undefined {
      const row = database.get<AddressRow>('SELECT * FROM device_address WHERE device_id = ?', id)
      return row && readRow(row)
    },
    set(id: number, { address, port, https, user, password, cert, rtmpPort = RTMP_PORT }: StoredDeviceAddress): void {
      database.run(
        `INSERT INTO device_address (device_id, address, port, https, secret, cert, rtmp_port)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (device_id)
          DO UPDATE SET address = ?2, port = ?3, https = ?4, secret = ?5, cert = ?6, rtmp_port = ?7`,
        id,
        address,
        port,
        https ? 1 : 0,
        encryption.encrypt(JSON.stringify({ user, password }), loginOwner(id)),
        cert,
        rtmpPort
      )
    },
    /** Exchanges the addresses of two devices, either of which may have none. */
    exchange(first: number, second: number): void {
      const addresses = [repository.get(first), repository.get(second)]
      for (const [index, id] of [second, first].entries()) {
        const address = addresses[index]
        if (address) repository.set(id, address)
        else database.run('DELETE FROM device_address WHERE device_id = ?', id)
      }
    }
  }
  return repository
}

export type DeviceAddresses = ReturnType<typeof deviceAddresses>
