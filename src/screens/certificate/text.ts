export const TEXT = {
  page: ['This page', '当前页面'],
  encrypted: ['HTTPS: encrypted', 'HTTPS：已加密'],
  plain: ['HTTP: not encrypted', 'HTTP：未加密'],
  hub: ['HTTPS of the hub', '中控的 HTTPS'],
  enabled: ['Enabled', '已启用'],
  disabled: ['Disabled', '已停用'],
  httpPort: ['HTTP port', 'HTTP 端口'],
  httpsPort: ['HTTPS port', 'HTTPS 端口'],
  certificate: ['Certificate', '证书'],
  privateKey: ['Private key', '私钥'],
  valid: ['Valid', '有效'],
  invalid: ['Invalid', '无效'],
  atProxy: [
    'This hub serves HTTP only. Install the certificate on a reverse proxy in front of it, and manage it there.',
    '中控本身仅提供 HTTP 服务。请在其前端的反向代理上安装并管理证书。'
  ],
  unencrypted: [
    'Passwords and sessions on this connection can be read by others on the network.',
    '此连接上的密码和会话可能被网络上的其他人读取。'
  ]
} as const
