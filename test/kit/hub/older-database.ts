// Databases of older hubs: the steps of the schema up to a version, with rows that a hub of that time wrote.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FIRST_PASSWORD_MD5, hashPassword } from '../../../accounts/passwords.ts'
import { DATABASE_FILE } from '../../../hub/data-folder/entries.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'

/** Rows by the version whose tables they need. `PASSWORD` stands for the hash of 'Admin', `NOW` for the time. */
const ROWS: Readonly<Record<number, string>> = {
  1: `
    INSERT INTO user_group (id, name, permission, type) VALUES (1, 'Admin', 4294967295, 1);
    INSERT INTO user (id, name, group_id, password, is_default_password) VALUES (0, 'Admin', 1, 'PASSWORD', 1);
    INSERT INTO session (hash, user_id, address, created, seen) VALUES ('h', 0, '127.0.0.1', 1, 1);
    INSERT INTO node (id) VALUES (1001), (1002), (1003);
    INSERT INTO device (id, sn, name, module, module_name, product_id, hardware_ver, firmware_ver, dir, api, preview, key_hash,
      reg_state, apply_date) VALUES (1001, 'B313210101001', 'Camera 1', 1, 'Pro Convert', 1, 'A', '1.2.3', 256, 'usapi', 1, 'k', 101, 1);
    INSERT INTO input (id, name, protocol, url) VALUES (1002, 'Feed', 4, 'udp://239.1.1.1:5000');
    INSERT INTO output (id, name, protocol, config) VALUES (1003, 'Target', 4, '{"url":"udp://127.0.0.1:5001"}');
    INSERT INTO channel (id, name, play_key, push_key, input_id) VALUES (100001, 'News', 'play', 'push', 1002);
    INSERT INTO channel_output (output_id, channel_id) VALUES (1003, 100001);
    INSERT INTO setting (name, value) VALUES ('expired-time', '77');
    INSERT INTO operation_log (time, user, ip, event, detail, code) VALUES (NOW, 'Admin', '127.0.0.1', '/channel/add', 'News', 0);
    INSERT INTO event_log (time, level, kind, event, detail, sn) VALUES (NOW, 1, 'device', 'device-online', 'Camera 1', 'B313210101001');`,
  2: `INSERT INTO token (hash, begin, name, user_id, created, expires) VALUES ('t', 'mw', 'Script', 0, 1, -1);`,
  3: `INSERT INTO catalog (name, parent_id, created) VALUES ('Studio', 0, 1);`,
  4: `INSERT INTO firmware (file, name, product_id, product_name, model, hardware_ver, major, minor, build, build_time, test, size, sha256, added)
      VALUES ('f', 'x.mwf', 1, 'Pro Convert', 'm', 'A', 1, 2, 3, 1, 0, 1, 's', 1);`,
  5: `INSERT INTO device_config (device_id, config) VALUES (1001, '{}');`
}

/**
 * Creates the database of an older hub in a data folder, in WAL mode.
 * @param version of the schema
 */
export async function createOlderDatabase(data: string, version: number): Promise<void> {
  const password = await hashPassword(FIRST_PASSWORD_MD5)
  const database = new DatabaseSync(join(data, DATABASE_FILE))
  database.exec('PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON')
  for (const [index, step] of MIGRATIONS.slice(0, version).entries()) {
    database.exec(`BEGIN; ${step}; PRAGMA user_version=${index + 1}; COMMIT`)
    database.exec((ROWS[index + 1] ?? '').replace('PASSWORD', password).replaceAll('NOW', String(Date.now())))
  }
  database.close()
}
