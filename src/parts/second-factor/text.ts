export const TEXT = {
  title: ['Second factor', '双重验证'],
  scan: [
    'Scan the QR code with an authenticator app, or enter the key, then enter the six digits that the app shows.',
    '使用身份验证器应用扫描二维码或输入密钥，然后输入应用显示的六位数字。'
  ],
  enable: ['Enable', '启用'],
  codes: ['Recovery codes', '恢复码'],
  codesText: [
    'Keep these codes in a safe place. Each code works once instead of the app. They are not shown again.',
    '请妥善保存这些恢复码。每个恢复码可代替应用使用一次，且不会再次显示。'
  ]
} as const
