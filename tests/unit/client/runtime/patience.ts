import { configure } from '@testing-library/react';
import { vi } from 'vitest';

// Whole pages with their dialogs, looked at by role, take their time on a busy machine.
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 60_000 });
