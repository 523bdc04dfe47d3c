import '../code.js';
import '../key-form.js';
import './contents.js';
import './search.js';
