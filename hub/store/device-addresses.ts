// Where devices are reached that do not dial in, and with which login. The login is sealed: the database alone does not tell it.
import type { Database } from './database.ts'
import { openSeal } from './encryption.ts'

/** Everything it takes to reach a device. */
export interface Reached {
  /** IPv4 address or domain. */
  address: string
  port: number
  https: boolean
  user: string
  password: string
  /** SHA-256 of the certificate that counts, as hex; empty where none was met yet. */
  cert: string
}

interface AddressRow {
  device_id: number
  address: string
  port: number
  https: number
  secret: string
  cert: string
}

/** @param data the hub's folder */
export function deviceAddresses(database: Database, data: string) {
  const seal = openSeal(data)
  const about = (id: number) => `device ${id}`

  function reached({ device_id: id, secret, https, address, port, cert }: AddressRow): Reached {
    // Sealed with another key: an empty login is refused by the device, and says to enter it anew.
    const { user = '', password = '' } = JSON.parse(seal.open(secret, about(id)) ?? '{}')
    return { address, port, https: https === 1, user, password, cert }
  }

  return {
    /** Devices that have one, by their ids. */
    ids: () => database.all<{ id: number }>('SELECT device_id AS id FROM device_address').map(({ id }) => id),
    of(id: number): Reached | undefined {
      const row = database.get<AddressRow>('SELECT * FROM device_address WHERE device_id = ?', id)
      return row && reached(row)
    },
    set(id: number, { address, port, https, user, password, cert }: Reached): void {
      database.run(
        `INSERT INTO device_address (device_id, address, port, https, secret, cert) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT (device_id) DO UPDATE SET address = ?2, port = ?3, https = ?4, secret = ?5, cert = ?6`,
        id,
        address,
        port,
        https ? 1 : 0,
        seal.close(JSON.stringify({ user, password }), about(id)),
        cert
      )
    }
  }
}

export type DeviceAddresses = ReturnType<typeof deviceAddresses>
