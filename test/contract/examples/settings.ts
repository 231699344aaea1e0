// Valid requests of the calls for the settings of the hub.
import { getSettings, setSettings } from '../../../contract/settings.ts'
import { examples } from './examples.ts'
import { NDI_DISCOVERY } from './ndi-discovery.ts'

examples(getSettings, {})
examples(
  setSettings,
  { web: { 'http-port': 8081, 'enable-https': true, 'cert-filename': '', 'cert-key-filename': '' } },
  { 'expired-time': -1 },
  { 'expired-time': 1440 },
  { 'pwd-rule': {} },
  { 'pwd-rule': { length: 32, lowercase: 8, uppercase: 8, number: 8, special: 8, 'chk-name': 1 } },
  { security: { 'enable-code': true, 'code-value': '0000' } },
  { security: { 'enable-code': false } },
  { srt: { port: 8000, 'pb-key-len': 0 } },
  { srt: { port: 65535, 'pb-key-len': 32, passphrase: 'x'.repeat(79) } },
  { rtmp: { port: 1935 } },
  { hls: { enable: false } },
  { 'ndi-discovery': NDI_DISCOVERY },
  { channel: { 'ndi-enable': true } },
  { 'hub-ndi-server': { enable: true, port: 5959 } },
  { streams: { 'forbid-private': true } },
  { previews: { 'data-saver': true } },
  { hosts: { names: ['headend.example', '192.0.2.1', '2001:db8::1', 'hub'] } }
)
