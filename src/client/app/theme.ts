import type { Theme } from '@fluentui/react-components';
import { createDarkTheme, createLightTheme } from '@fluentui/react-components';
import { brandRamp } from './brand_ramp.ts';

/** The product's own colour, for clients without one. */
const productColour = '#3454d1';

/** Tokens besides Fluent's, used as `var(--frameBackground)` and so on. */
export interface FrameTokens {
  frameBackground: string;
  frameHover: string;
  frameForeground: string;
  frameMark: string;
}

const made = new Map<string, Theme & FrameTokens>();

/** Fluent's tokens in the brand's colour, light or dark. */
export function themeFor(primary: string | null, dark: boolean): Theme & FrameTokens {
  const key = `${primary ?? ''}${dark ? ' dark' : ''}`;
  const existing = made.get(key);
  if (existing) return existing;
  const ramp = brandRamp(primary ?? productColour);
  const base = dark ? createDarkTheme(ramp) : createLightTheme(ramp);
  const theme = {
    ...base,
    ...(dark && {
      colorBrandForeground1: ramp[110],
      colorBrandForeground2: ramp[120],
      colorBrandForegroundLink: ramp[120],
    }),
    frameBackground: dark ? ramp[20] : ramp[50],
    frameHover: dark ? ramp[40] : ramp[70],
    frameForeground: base.colorNeutralForegroundStaticInverted,
    frameMark: ramp[120],
  };
  made.set(key, theme);
  return theme;
}
