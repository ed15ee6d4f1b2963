import { Button } from '@fluentui/react-components';
import { WeatherMoonRegular, WeatherSunnyRegular } from '@fluentui/react-icons';
import { themeChoice, useDark } from '../preferences.ts';
import styles from './login.module.css';

/** Blue or white, on the sign-in pages that offer it. */
export default function ThemeSwitch() {
  const dark = useDark();
  return (
    <Button
      className={styles.theme}
      appearance="subtle"
      icon={dark ? <WeatherSunnyRegular /> : <WeatherMoonRegular />}
      aria-label={dark ? 'White theme' : 'Blue theme'}
      onClick={() => themeChoice.set(dark ? 'light' : 'dark')}
    />
  );
}
