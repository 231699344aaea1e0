export const TEXT = {
  title: ['Consoles', '控制台版本'],
  place: ['Place', '位置'],
  version: ['Version', '版本'],
  commit: ['Commit', '提交'],
  state: ['State', '状态'],
  development: ['Development key', '开发密钥'],
  upload: ['Upload update', '上传更新'],
  verifying: ['Verifying', '正在校验'],
  install: ['Install {0}', '安装 {0}'],
  revert: ['Go back to {0}', '回退到 {0}'],
  keys: ['Trusted keys', '受信任的密钥'],
  noKeys: ['This hub trusts no signing key.', '此中心不信任任何签名密钥。'],
  keysNote: ['SHA-256; set with TRUSTED_KEYS when the hub starts', 'SHA-256；启动中心时由 TRUSTED_KEYS 指定'],
  stays: [
    'It is kept if it loads in this browser, otherwise the current one is restored.',
    '能在此浏览器中加载则保留，否则恢复当前版本。'
  ],
  older: ['This version is older than the current one.', '该版本低于当前版本。']
} as const
