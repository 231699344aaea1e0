// Result codes of the Ultra family (API generation `usapi`). They differ from the MW_STATUS_* codes of `codes.ts`.

/**
 * Codes that can be the result of a call of the hub, with their message keys. Any other code is shown as a number, such
 * as -41 to -58, which belong to settings that the hub does not change.
 */
export const ULTRA_CODE_KEYS: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'repeated',
  2: 'running',
  3: 'slow-storage',
  4: 'low-storage',
  5: 'canceled',
  29: 'no-live-address',
  30: 'auth-error',
  [-1]: 'wrong-password',
  [-2]: 'in-use',
  [-4]: 'device-error',
  [-5]: 'disk-error',
  [-6]: 'not-connected',
  [-7]: 'key-error',
  [-8]: 'version-error',
  [-9]: 'busy',
  [-10]: 'bad-parameters',
  [-11]: 'bad-usage',
  [-12]: 'timeout',
  [-14]: 'not-found',
  [-15]: 'bad-file',
  [-16]: 'no-space',
  [-17]: 'login-needed',
  [-18]: 'system-error',
  [-19]: 'disk-speed',
  [-20]: 'empty',
  [-21]: 'network-error',
  [-22]: 'event-error',
  [-23]: 'codec-error',
  [-25]: 'no-such-user',
  [-26]: 'no-permission',
  [-27]: 'name-in-use',
  [-28]: 'bad-string',
  [-29]: 'live-sessions-max',
  [-34]: 'update-mismatch',
  [-35]: 'no-signal',
  [-36]: 'sd-card-error',
  [-44]: 'port-occupied',
  [-51]: 'live-start-failed',
  [-102]: 'ca-license-error',
  [-103]: 'ca-key-error'
}
