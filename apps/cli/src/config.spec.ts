import { posix, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loginPath } from './config.ts'

describe('the login file', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/config' }, '/config/slipway/login.json'],
    [{ XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/slipway/login.json'],
    [{ APPDATA: '/not/windows' }, '/home/ada/.config/slipway/login.json'],
    [{}, '/home/ada/.config/slipway/login.json'],
  ])('with the environment %o is %s', (env, expected) => {
    expect(loginPath(env, posix, '/home/ada')).toBe(expected)
  })

  it.each([
    [
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      'C:\\Users\\ada\\AppData\\Roaming\\slipway\\login.json',
    ],
    [{ XDG_CONFIG_HOME: 'D:\\config', APPDATA: 'C:\\x' }, 'D:\\config\\slipway\\login.json'],
    [{}, 'C:\\Users\\ada\\.config\\slipway\\login.json'],
  ])('on Windows with the environment %o is %s', (env, expected) => {
    expect(loginPath(env, win32, 'C:\\Users\\ada')).toBe(expected)
  })
})
