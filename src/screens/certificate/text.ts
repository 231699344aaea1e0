import type { HttpsState } from '../../../contract/web/certificate.ts'
import type { Translation } from '../../text/language.ts'
import type { State } from '../../ui/state-label.tsx'

export const TEXT = {
  page: ['This page', '当前页面'],
  encrypted: ['HTTPS: encrypted', 'HTTPS：已加密'],
  plain: ['HTTP: not encrypted', 'HTTP：未加密'],
  hub: ['HTTPS of the hub', '中控的 HTTPS'],
  enabled: ['Enabled', '已启用'],
  disabled: ['Disabled', '已停用'],
  httpPort: ['HTTP port', 'HTTP 端口'],
  httpsPort: ['HTTPS port', 'HTTPS 端口'],
  ports: ['Change ports', '更改端口'],
  certificate: ['Certificate', '证书'],
  privateKey: ['Private key', '私钥'],
  valid: ['Valid', '有效'],
  invalid: ['Invalid', '无效'],
  names: ['Valid for', '适用名称'],
  subject: ['Issued to', '颁发给'],
  issuer: ['Issued by', '颁发者'],
  from: ['Valid from', '生效时间'],
  until: ['Valid until', '到期时间'],
  daysLeft: ['{0} ({1} days left)', '{0}（剩余 {1} 天）'],
  keyPin: ['Key pin for devices', '设备用公钥指纹'],
  fingerprint: ['SHA-256 fingerprint', 'SHA-256 指纹'],
  chain: ['Chain', '证书链'],
  trust: ['Authority', '颁发机构'],
  trusted: ['Trusted', '受信任'],
  untrusted: ['Not trusted by this machine', '本机不信任'],
  switches: ['HTTPS access', 'HTTPS 访问'],
  serve: ['Serve HTTPS', '启用 HTTPS'],
  redirect: ['Redirect HTTP to HTTPS', '将 HTTP 重定向到 HTTPS'],
  redirectHint: [
    'Pages only: calls of programs, HLS players and the hub’s own machine are not redirected. On by itself once somebody has signed in over HTTPS with a trusted certificate.',
    '仅重定向页面：程序调用、HLS 播放器和中控本机不会被重定向。使用受信任证书通过 HTTPS 登录后自动开启。'
  ],
  hsts: ['HSTS: browsers use HTTPS only', 'HSTS：浏览器仅使用 HTTPS'],
  hstsHint: [
    'For 180 days after each visit, also for device pages and port forwards under this name, which do not open then.',
    '每次访问后持续 180 天。此名称下的设备页面和端口转发届时也无法打开。'
  ],
  overHttps: ['Open the console over HTTPS to change this.', '请通过 HTTPS 打开控制台后再更改。'],
  openHttps: ['Open over HTTPS', '通过 HTTPS 打开'],
  selfSigned: [
    'Browsers warn about the certificate that the hub made itself. Compare the fingerprint, or install a certificate from your authority.',
    '浏览器会对中控自签名的证书发出警告。请核对指纹，或安装由您的机构签发的证书。'
  ],
  damaged: [
    'The installed certificate cannot be read any more. Another one is in use: install it again.',
    '已安装的证书无法读取，当前使用其他证书。请重新安装。'
  ],
  expiresSoon: ['The certificate expires on {0}. Install a new one.', '证书将于 {0} 过期，请安装新证书。'],
  hasExpired: ['The certificate expired on {0}. Install a new one.', '证书已于 {0} 过期，请安装新证书。'],
  install: ['Install certificate', '安装证书'],
  installHint: [
    'PEM files. New connections get the certificate at once. The private key cannot be read back, and is in no backup.',
    'PEM 文件。新连接立即使用新证书。私钥无法读回，也不包含在备份中。'
  ],
  certificateFile: ['Certificate, with its issuers', '证书（含颁发者证书）'],
  keyFile: ['Private key, without a passphrase', '私钥（无密码）'],
  useOwn: ['Use self-signed certificate', '使用自签名证书'],
  useOwnText: [
    'Browsers will warn about it. The installed files stay on the hub.',
    '浏览器会对其发出警告。已安装的文件会保留在中控上。'
  ],
  turnOff: ['Turn HTTPS off', '关闭 HTTPS'],
  turnOffText: [
    'Open pages over HTTPS lose their connection. The console stays reachable over HTTP, where you sign in again.',
    '通过 HTTPS 打开的页面将断开连接。控制台仍可通过 HTTP 访问，需要重新登录。'
  ],
  atProxy: [
    'This hub serves HTTP only. Turn HTTPS on here, or install a certificate on a reverse proxy in front of it.',
    '中控当前仅提供 HTTP 服务。请在此启用 HTTPS，或在其前端的反向代理上安装证书。'
  ],
  unencrypted: [
    'Passwords and sessions on this connection can be read by others on the network.',
    '此连接上的密码和会话可能被网络上的其他人读取。'
  ]
} as const satisfies Record<string, Translation>

/** The states of HTTPS on the hub. */
export const STATES: Readonly<Record<HttpsState, State>> = {
  disabled: ['off', TEXT.disabled],
  'self-signed': ['warn', ['Enabled, self-signed certificate', '已启用，自签名证书']],
  enabled: ['good', TEXT.enabled],
  expiring: ['warn', ['Enabled, certificate expires soon', '已启用，证书即将过期']],
  expired: ['bad', ['Certificate expired', '证书已过期']],
  failed: ['bad', ['Failed', '失败']]
}
