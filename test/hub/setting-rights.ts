// Who may change each setting of the hub, and what that takes. `setting-rights.test.ts` compares the declarations and
// the hub with this table, which is written by hand. A new setting needs a row. When a row and a declaration differ,
// find out which of them is wrong before you change one.

/**
 * By part, or part and member.
 * - Who may change it: `admin`, or the permission that is required.
 * - `password`: the password is asked for, if the session did not prove it within the last ten minutes, and no access
 *   token may change it.
 * - `interrupts`: a change can interrupt streams, players, downloads, or connections of devices and programs.
 */
export const SETTING_ROWS: Readonly<Record<string, readonly [who: string, takes: string]>> = {
  'security.enable-code': ['admin', 'password'],
  'security.code-value': ['admin', 'password'],
  'expired-time': ['admin', 'password'],
  'admin-session': ['admin', 'password'],
  'pwd-rule.length': ['admin', 'password'],
  'pwd-rule.lowercase': ['admin', 'password'],
  'pwd-rule.uppercase': ['admin', 'password'],
  'pwd-rule.number': ['admin', 'password'],
  'pwd-rule.special': ['admin', 'password'],
  'pwd-rule.chk-name': ['admin', 'password'],
  'log.max-lines': ['admin', 'password'],
  'log.max-days': ['admin', 'password'],
  'srt.port': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'srt.pb-key-len': ['admin', 'password interrupts'],
  'srt.passphrase': ['admin', 'password interrupts'],
  'rtmp.port': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'hls.enable': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'streams.forbid-private': ['admin', 'password interrupts'],
  'previews.data-saver': ['SYSTEM_CONFIG_EDIT', ''],
  'syslog.protocol': ['admin', 'password'],
  'syslog.host': ['admin', 'password'],
  'syslog.port': ['admin', 'password'],
  'firmware-server.address': ['admin', 'password'],
  'hosts.names': ['admin', 'password'],
  'ndi-discovery.enable': ['NDI_EDIT', ''],
  'ndi-discovery.servers': ['NDI_EDIT', ''],
  'ndi-discovery.send-groups': ['NDI_EDIT', ''],
  'ndi-discovery.recv-groups': ['NDI_EDIT', ''],
  'ndi-discovery.extra-ips': ['NDI_EDIT', ''],
  'ndi-discovery.machine-name': ['NDI_EDIT', ''],
  'ndi-discovery.ifaces': ['NDI_EDIT', ''],
  'channel.ndi-enable': ['NDI_EDIT', ''],
  'hub-ndi-server.enable': ['NDI_EDIT', 'interrupts'],
  'hub-ndi-server.port': ['NDI_EDIT', 'interrupts'],
  'web.http-port': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'web.https-port': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'web.link-port': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'web.files-port': ['SYSTEM_CONFIG_EDIT', 'interrupts'],
  'web.enable-https': ['admin', 'password interrupts'],
  'web.redirect-http': ['admin', 'password'],
  'web.hsts': ['admin', 'password'],
  'web.cert-filename': ['admin', 'password'],
  'web.cert-key-filename': ['admin', 'password']
}
